import { describe, expect, test } from 'bun:test'
import { openDescriptorGuard, reserveOf, shareOf } from '../../src/gateway/http/descriptors'

/** A process with so many descriptors, and what its guard did. */
function openProcess(limit: number) {
  let others = 0
  let own = 0
  let idle = 0
  let headless = 0
  const wanted: number[] = []
  const done: string[] = []
  const guard = openDescriptorGuard({
    reserve: 32,
    listener: {
      pause: () => done.push('pause') > 0,
      resume: () => void done.push('resume'),
    },
    closeIdle() {
      others -= idle
      idle = 0
    },
    closeHeadless(missing) {
      wanted.push(missing)
      const closed = Math.min(missing, headless)
      headless -= closed
      others -= closed
    },
    onScarce: (scarce) => void done.push(scarce ? 'scarce' : 'enough'),
    source: {
      open() {
        if (own + others >= limit) throw new Error('EMFILE')
        return ++own
      },
      close: () => void own--,
    },
  })
  return {
    look: (now = 0) => guard.tick(now),
    guard,
    done,
    /** How many it wanted of those without a whole head. */
    wanted,
    own: () => own,
    clients: (count: number, idling = 0, unasked = 0) => {
      others = count
      idle = idling
      headless = unasked
    },
  }
}

describe('descriptors for the database and vendors', () => {
  test('are held while clients take the others', () => {
    const it = openProcess(256)
    it.look()
    expect(it.own()).toBe(32)
    it.clients(200)
    it.look()
    expect([it.own(), it.done]).toEqual([32, []])
    it.guard.close()
    expect(it.own()).toBe(0)
  })

  test('are had from idle connections first', () => {
    const it = openProcess(256)
    it.look()
    it.clients(220, 100)
    it.look()
    expect([it.own(), it.done]).toEqual([32, []])
  })

  test('are set free when nothing else helps, and nobody is accepted until there are enough', () => {
    const it = openProcess(256)
    it.look()
    it.clients(224)
    expect(it.look()).toBe(true)
    expect([it.own(), it.done]).toEqual([0, ['pause', 'scarce']])
    it.clients(195)
    it.look()
    expect([it.own(), it.done.length]).toEqual([0, 2])
    it.clients(190)
    it.look()
    expect([it.own(), it.done.slice(2)]).toEqual([32, ['resume']])
  })

  test('are had from connections without a whole head, as many as lack', () => {
    const it = openProcess(256)
    it.look()
    it.clients(230, 0, 100)
    it.look()
    // 32 in reserve and 32 beside it; 26 are there.
    expect([it.wanted, it.done]).toEqual([[38], ['pause', 'scarce']])
    it.look()
    expect([it.wanted, it.done.slice(2)]).toEqual([[38], ['resume']])
  })

  test('are scarce, and looked at often, until they have sufficed for five seconds', () => {
    const it = openProcess(256)
    it.look(1000)
    it.clients(230)
    it.look(2000)
    it.clients(10)
    expect([it.look(2050), it.look(6999)]).toEqual([true, true])
    expect(it.done).toEqual(['pause', 'scarce', 'resume'])
    expect(it.look(7000)).toBe(false)
    expect(it.done.at(-1)).toBe('enough')
  })

  test('are a share of what there is', () => {
    expect([null, 64, 256, 1024, 1_000_000].map(reserveOf)).toEqual([8, 8, 32, 64, 64])
    expect([null, 256, 1023].map(shareOf)).toEqual([Infinity, 64, 256])
  })
})
