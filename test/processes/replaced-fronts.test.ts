/** A new program takes the place of one that serves, front by front, while clients call without end. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, setUp, temporaryFolder } from '../support/executable'
import { openStandIn, type StandIn } from '../support/stand-in'
import { isUnaccepted, watchAccepted } from './rounds/accepted'
import type { BrokenCall } from './rounds/connection'
import { openCalls } from './rounds/load'
import { openService, until } from './rounds/service'

const fronts = 2
/** Whether the kernel hands what nobody has accepted to another listener: then nothing at all is lost. */
const handsOver = (() => {
  const file = '/proc/sys/net/ipv4/tcp_migrate_req'
  return existsSync(file) && readFileSync(file, 'utf8').trim() === '1'
})()
let vendor: StandIn
beforeAll(() => {
  vendor = openStandIn()
})
afterAll(() => vendor.close())

test('no accepted call is lost, and somebody takes connections at each moment', async () => {
  const data = join(temporaryFolder(), 'data')
  const caller = { key: await setUp(data, vendor.url, '1000'), isLimited: false }
  const service = await openService(data, fronts)
  await service.whole()
  const before = service.fronts()
  const load = openCalls(service.url, [caller], 9)
  const accepted = watchAccepted(Number(service.url.port), service.fronts)
  const listening: number[] = []
  const looking = setInterval(() => void listening.push(service.listening().length), 5)
  await until(() => load.count() > 50, service.owner().logs)

  service.owner().kill('SIGUSR2')
  await until(() => service.owner().logs().includes('"replaced"'), service.owner().logs)
  await until(() => service.fronts().every((pid) => !before.includes(pid)), service.owner().logs)
  const then = load.count()
  await until(() => load.count() > then + 50, service.owner().logs)
  clearInterval(looking)
  await load.end()

  accepted.end()
  const isExcused = (broken: BrokenCall) => !handsOver && isUnaccepted(broken, accepted.seen)
  expect(load.takeBroken().filter((broken) => !isExcused(broken))).toEqual([])
  expect(load.takeWrong()).toEqual([])
  expect(Math.min(...listening)).toBeGreaterThanOrEqual(fronts)
  // One more while one is replaced, and not all of them again.
  expect(Math.max(...listening)).toBeLessThanOrEqual(fronts + 1)
  expect(await service.end()).toBe(0)
  const audit = await run(['audit', '--json'], { data })
  expect(audit.json<object>()).toMatchObject({ ok: true, pending: 0 })
  rmSync(data, { recursive: true, force: true })
}, 60_000)
