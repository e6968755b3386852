import { expect, test } from 'bun:test'
import { openReloads } from '../../src/server/change-feed'
import type { Log } from '../../src/gateway/observability/log'

/** A log that keeps what failed. */
function failureLog() {
  const failures: string[] = []
  const nothing = () => {}
  const log: Log = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (event) => void failures.push(event),
    print: nothing,
    debugging: false,
    flush: nothing,
  }
  return { log, failures }
}

test('what cannot be read anew is tried again once a second, however much changed meanwhile', async () => {
  const { log, failures } = failureLog()
  let tries = 0
  const read = () => {
    tries++
    return Promise.reject(new Error('the database is away'))
  }
  const reloads = openReloads({ log, triesAgain: true, read })
  for (let change = 0; change < 8; change++) await reloads.reload()
  expect(failures).toEqual(Array.from({ length: 8 }, () => 'reload failed'))
  await Bun.sleep(1500)
  expect(tries).toBe(9)
  reloads.end()
  await reloads.reload()
  await Bun.sleep(1500)
  expect([tries, failures.length]).toEqual([9, 9])
})

test('a read that the end of the storage broke is no failure', async () => {
  const { log, failures } = failureLog()
  const reading = Promise.withResolvers<void>()
  const reloads = openReloads({ log, triesAgain: true, read: () => reading.promise })
  const reload = reloads.reload()
  reloads.end()
  reading.reject(new Error('the storage is closed'))
  await reload
  expect(failures).toEqual([])
})
