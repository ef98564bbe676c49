// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The author of an avatar and its conditions of use, in words. A permission that the file does not state counts as
// refused.

import { say } from './words.js';

// Heading, member, bit of vrm_meta.stated.
const PERMISSIONS = [
  ['avatarPermission', 'avatarPermission', 0], ['commercialUsage', 'commercialUsage', 3],
  ['violent', 'allowExcessivelyViolentUsage', 1], ['sexual', 'allowExcessivelySexualUsage', 2],
  ['political', 'allowPoliticalOrReligiousUsage', 4], ['antisocial', 'allowAntisocialOrHateUsage', 5],
  ['modification', 'modification', 8], ['redistribution', 'allowRedistribution', 7], ['credit', 'creditNotation', 6],
];
const TEXTS = [
  ['name', 'name'], ['version', 'version'], ['authors', 'authors'], ['contact', 'contactInformation'], ['references', 'references'],
  ['copyright', 'copyrightInformation'], ['license', 'licenseUrl'], ['otherLicense', 'otherLicenseUrl'], ['thirdParty', 'thirdPartyLicenses'],
];

const inWords = (value) => (value === true ? say('allowed') : value === false ? say('forbidden') : say(value));
const isStated = ({ stated }, bit) => (stated >> bit & 1) !== 0;

/** Returns pairs of heading and text, without those that are empty in the file. */
export function conditions(meta) {
  const texts = TEXTS.map(([key, member]) => [say(key), [meta[member]].flat().filter(Boolean).join(', ')]).filter(([, text]) => text);
  const terms = [];
  for (let i = 0; i < meta.oldTerms.length; i += 2) if (meta.oldTerms[i + 1]) terms.push([meta.oldTerms[i], meta.oldTerms[i + 1]]);
  return [...texts, ...PERMISSIONS.map(([key, member, bit]) =>
    [say(key), inWords(meta[member]) + (isStated(meta, bit) ? '' : ` (${say('unstated')})`)]), ...terms];
}
