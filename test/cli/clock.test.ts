/** The program itself while its wall clock is set: libfaketime sets it, and leaves the monotonic clock alone. */
import { afterEach, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programAt, run, serve, setUp, temporaryFolder } from '../support/executable'
import { canFakeTime, withFakedTime } from '../support/faketime'
import { openStandIn, wholeReply } from '../support/stand-in'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Seconds by which the clock is off, as libfaketime reads it. */
const offset = (seconds: number) => `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`

test.skipIf(!canFakeTime)(
  'calls, prices and receipts do not care how the clock is set, and the log and `doctor` tell',
  async () => {
    const data = temporaryFolder()
    closing.push(() => rmSync(data, { recursive: true, force: true }))
    let answer = Promise.withResolvers<void>()
    const vendor = openStandIn(async () => {
      await answer.promise
      return wholeReply('whole')
    })
    closing.push(() => vendor.close())
    const key = await setUp(data, vendor.url)
    const time = join(data, 'time')
    const set = (seconds: number) => writeFileSync(time, `${offset(seconds)}\n`)
    const faked = withFakedTime(`FAKETIME_TIMESTAMP_FILE=${time}`)
    // Three days behind: every price of the folder begins later.
    set(-3 * 86_400)
    const served = await serve(['--data', data], {}, faked)
    closing.push(async () => {
      served.kill('SIGKILL')
      await served.exited
    })
    const ask = () =>
      fetch(`${served.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: 'hello' }] }),
      })
    const command = [...faked, ...programAt(join(data, 'program'))]
    const doctor = await run(['doctor', '--json'], { data, command })
    expect(doctor.stdout).toContain('clock_behind')
    expect(served.logs()).toContain('clock is behind the newest row')
    for (const seconds of [0, 7200, 30 * 86_400, 0, -3600, 26 * 365 * 86_400, 0]) {
      answer = Promise.withResolvers<void>()
      const asked = vendor.seen.length
      const call = ask()
      while (vendor.seen.length === asked) await Bun.sleep(10)
      set(seconds)
      await Bun.sleep(200)
      answer.resolve()
      const got = await call
      expect(got.status).toBe(200)
      const id = got.headers.get('x-request-id') ?? ''
      await got.text()
      const receipt = await fetch(`${served.url}/requests/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { latency_ms: latencyMs } = (await receipt.json()) as { latency_ms: number }
      expect(latencyMs).toBeWithin(150, 30_000)
    }
    while (!served.logs().includes('wall clock jumped')) await Bun.sleep(50)
    served.kill('SIGTERM')
    expect(await served.exited).toBe(0)
    expect((await run(['audit'], { data })).code).toBe(0)
  },
)
