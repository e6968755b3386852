import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/server/config'
import { openSupervisor } from '../../src/server/process/supervisor'
import { openLog } from '../../src/gateway/observability/log'
import { temporaryFolder } from '../support/executable'
import { thrownBy } from '../support/thrown-by'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const parts = {
  config: readConfig({}),
  log: openLog('error'),
  address: { host: '127.0.0.1', port: 0 },
  notes: {
    joined() {},
    fenced() {},
    untrusted() {},
    unnamed() {},
    serving() {},
    stopping() {},
    stopped() {},
  },
}

test.each([
  ['exit 3', 'exit code 3'],
  ['kill -9 $$', 'SIGKILL'],
])('a node that ends without a word (%s) ends the start', async (script, told) => {
  const begun = openSupervisor(
    { ...parts, folder: join(folder, told) },
    {
      count: 2,
      command: ['/bin/sh', '-c', script],
      environment: () => ({}),
      faultOfNext: () => Promise.resolve(null),
    },
  )
  expect(String(await thrownBy(begun))).toBe(
    `Error: a node process ended before it served (${told})`,
  )
})
