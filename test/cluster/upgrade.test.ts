import { afterEach, beforeEach, expect, test } from 'bun:test'
import { run, type Serving } from '../support/executable'
import { describeOn } from '../support/postgres'
import { thrownBy } from '../support/thrown-by'
import { callCost, openFleet, type Fleet } from './fleet'
import { nextRelease, type NextRelease } from '../support/next-release'
import { pacedSeconds } from '../support/pace'

const ttlSeconds = pacedSeconds(3)
/** A table that nodes of before know nothing of, and need not. */
const beside = ['CREATE TABLE "later" ("id" bigint PRIMARY KEY)']
const otherFormat = [...beside, 'UPDATE "world" SET "format" = 9000']

describeOn('npm', 'two releases on one PostgreSQL', () => {
  let fleet: Fleet
  let next: NextRelease
  const begin = async (step: readonly string[]) => {
    next = nextRelease('0.2.0', { postgres: step })
    fleet = await openFleet(['one', 'two'], { ttlSeconds, env: { CHAPAR_DRAIN_DELAY: '1' } })
  }
  beforeEach(() => {
    stops.clear()
  })
  afterEach(async () => {
    await fleet.close()
    next.remove()
  })

  /** Gateways that a balancer has been told of as stopping. */
  const stops = new Set<number>()

  /** One call by way of a balancer: the other gateway is asked where one stops. */
  const call = async (first: number, secret: string, stream: boolean): Promise<number> => {
    const answer = await fleet.call(stops.has(first) ? 1 - first : first, secret, { stream })
    const text = await answer.text()
    return stream && !text.includes('[DONE]') ? 0 : answer.status
  }

  /** Calls both until it is told to end. @returns what they were answered */
  const load = (secret: string) => {
    const ended = new AbortController()
    const codes: number[] = []
    const callers = [0, 1, 0, 1].map(async (at, caller) => {
      while (!ended.signal.aborted) codes.push(await call(at, secret, caller > 1))
    })
    return {
      codes,
      async end() {
        ended.abort()
        await Promise.all(callers)
      },
    }
  }

  const paidFor = async (account: number, calls: number): Promise<number> => {
    const count = async () => Math.round((await fleet.paidBy(account)) / callCost)
    for (let look = 0; look < 300 && (await count()) < calls; look++) await Bun.sleep(20)
    return await count()
  }

  const replace = async (at: number, name: string, command?: readonly string[]) => {
    stops.add(at)
    fleet.gateways[at]?.kill('SIGTERM')
    expect(await fleet.gateways[at]?.exited).toBe(0)
    fleet.gateways[at] = await fleet.begin(name, command)
    stops.delete(at)
  }

  const versions = async () => {
    const env = { CHAPAR_DATABASE: fleet.url, CHAPAR_NODE_TTL: String(ttlSeconds) }
    const { data } = (
      await run(['nodes', 'list', '--json'], { data: fleet.folder('desk'), env })
    ).json<{ data: { state: string; version: string }[] }>()
    return data.filter(({ state }) => state === 'serving').map(({ version }) => version)
  }

  test('of one format are exchanged one by one, and back, without a call that is lost', async () => {
    await begin(beside)
    const { account, secret } = await fleet.customer('50')
    const running = load(secret)
    const soon = async (calls: number) => {
      const until = running.codes.length + calls
      while (running.codes.length < until) await Bun.sleep(5)
    }
    await soon(50)
    await replace(0, 'one', next.command)
    await soon(100)
    const [newer = '', older = ''] = await versions()
    expect([newer, older.startsWith('0.1.0')]).toEqual(['0.2.0', true])
    await replace(1, 'two', next.command)
    await soon(100)
    expect(await versions()).toEqual(['0.2.0', '0.2.0'])
    // What this release does not know keeps nothing from it.
    await replace(0, 'one')
    await soon(100)
    await running.end()
    expect(new Set(running.codes)).toEqual(new Set([200]))
    expect(await paidFor(account, running.codes.length)).toBe(running.codes.length)
    const env = { CHAPAR_DATABASE: fleet.url }
    for (const command of [undefined, next.command]) {
      const audit = await run(['audit'], {
        data: fleet.folder('desk'),
        env,
        ...(command === undefined ? {} : { command }),
      })
      expect(audit).toMatchObject({ code: 0 })
    }
  })

  test('of another format: one waits for the other to be stopped, says so, and keeps it out then', async () => {
    await begin(otherFormat)
    const { account, secret } = await fleet.customer('5')
    const [one, two] = fleet.gateways as [Serving, Serving]
    for (const at of [0, 1]) expect(await call(at, secret, false)).toBe(200)

    const refusal = String(await thrownBy(fleet.begin('three', next.command)))
    expect(refusal).toContain('of an earlier release serve from this database')
    for (const { url } of [one, two]) expect(refusal).toContain(` at ${new URL(url).origin})`)
    const env = { CHAPAR_DATABASE: fleet.url, CHAPAR_NODE_TTL: String(ttlSeconds) }
    const doctor = await run(['doctor', '--json'], {
      data: fleet.folder('desk'),
      env,
      command: next.command,
    })
    const findings = doctor.json<{ data: { code: string }[] }>().data.map(({ code }) => code)
    expect(doctor.code).toBe(1)
    expect(findings).toContain('nodes_older')
    for (const at of [0, 1]) expect(await call(at, secret, false)).toBe(200)

    // One stands still with a charge that the database may not have; the other one is stopped.
    expect(await call(1, secret, false)).toBe(200)
    process.kill(two.pid, 'SIGSTOP')
    one.kill('SIGTERM')
    expect(await one.exited).toBe(0)
    fleet.gateways[0] = await fleet.begin('one', next.command)
    process.kill(two.pid, 'SIGCONT')
    expect(await two.exited).toBe(3)
    expect(two.logs()).toContain('fenced: a newer release')
    const late = String(await thrownBy(fleet.begin('two')))
    expect(late).toContain('a newer release of this program has brought this database')
    const older = await run(['doctor', '--json'], { data: fleet.folder('desk'), env })
    expect(older.code).toBe(1)
    expect(older.stdout).toContain('"database_newer"')

    fleet.gateways[1] = await fleet.begin('two', next.command)
    for (const at of [0, 1]) expect(await call(at, secret, false)).toBe(200)
    expect(await paidFor(account, 7)).toBe(7)
  })
})
