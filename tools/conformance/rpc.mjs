// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Starts a `vrm rpc` process and connects to it.

import { spawn } from 'node:child_process';

export class Rpc {
  constructor(command, ...more) {
    this.process = spawn(command, ['rpc', '-q', ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.buffer = Buffer.alloc(0);
    this.waiting = [];
    this.id = 0;
    this.process.stdout.on('data', (data) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      for (;;) {
        const end = this.buffer.indexOf('\r\n\r\n');
        const size = end < 0 ? NaN : Number(this.buffer.toString('latin1', 16, end));
        if (!(this.buffer.length >= end + 4 + size)) return;
        const message = JSON.parse(this.buffer.toString('utf8', end + 4, end + 4 + size));
        this.buffer = this.buffer.subarray(end + 4 + size);
        this.waiting.shift()(message);
      }
    });
    this.ended = new Promise((done) => { this.process.on('exit', done); });
  }

  async ask(method, params) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ++this.id, method, params }));
    const answer = new Promise((done) => { this.waiting.push(done); });
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result;
  }

  async end() {
    this.process.stdin.end();
    return this.ended;
  }
}
