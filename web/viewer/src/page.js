// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions that the parts of the page use to write on it.

export const $ = (id) => document.getElementById(id);

const SEEN = 5000; // milliseconds after which a message no longer covers the picture
let fading = 0;

/** What has happened; read out when the reader pauses. */
export function tell(text) {
  $('status').textContent = text;
  $('status').classList.remove('old');
  clearTimeout(fading);
  fading = setTimeout(() => $('status').classList.add('old'), SEEN);
}

/** What went wrong; read out at once. "" takes it away. */
export function warn(text) {
  $('alert').textContent = text;
}

/** An element with its text; `attributes` are properties of it. */
export function element(name, text = '', attributes = {}) {
  const made = Object.assign(document.createElement(name), attributes);
  made.textContent = text;
  return made;
}

/** Terms and their texts, into a dl. */
export function fill(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([term, text]) => [element('dt', term), element('dd', String(text))]));
}
