// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions that the parts of the page use to write on it.

export const $ = (id) => document.getElementById(id);

const SEEN = 5000; // milliseconds after which a message no longer covers the picture
let fading = 0;

/** Shows a message, which a screen reader reads at its next pause. */
export function tell(text) {
  $('status').textContent = text;
  $('status').classList.remove('old');
  clearTimeout(fading);
  fading = setTimeout(() => $('status').classList.add('old'), SEEN);
}

/** Shows an error, which a screen reader reads at once. "" removes it. */
export function warn(text) {
  $('alert').textContent = text;
}

/** Creates an element with a text; `attributes` are its properties. */
export function element(name, text = '', attributes = {}) {
  const made = Object.assign(document.createElement(name), attributes);
  made.textContent = text;
  return made;
}

/** Writes terms and their texts into a dl element. */
export function fill(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([term, text]) => [element('dt', term), element('dd', String(text))]));
}
