// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { read } from './struct.js';

/** Runs `job(report, findings)`. findings() returns the findings so far. */
export function withReport(module, job) {
  const { c } = module;
  const report = module.made((place) => c.vrm_report_create(0, place));
  const findings = () => Array.from({ length: c.vrm_report_get_count(report) }, (_, i) => {
    const { id, severity, offset, path, found, expected, name } =
      read(module, 'vrm_finding', c.vrm_report_get_finding(report, i) >>> 0);
    const info = c.vrm_finding_get_info(id) >>> 0;
    const { name: word, sentence, hint, section } = read(module, 'vrm_finding_info', info);
    return { id: word, severity, path, sentence, found, expected, name, hint, section,
      offset: BigInt.asIntN(64, offset) < 0n ? null : Number(offset) };
  });
  try {
    return job(report, findings);
  } finally {
    if (!module.dead) c.vrm_report_destroy(report);
  }
}
