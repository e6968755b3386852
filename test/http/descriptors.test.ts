import { describe, expect, test } from 'bun:test'
import { openDescriptorGuard, reserveOf } from '../../src/http/descriptors'

/** A process with so many descriptors, and what its guard did. */
function openProcess(limit: number) {
  let others = 0
  let own = 0
  let idle = 0
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
    look: () => guard.tick(0),
    guard,
    done,
    own: () => own,
    clients: (count: number, idling = 0) => {
      others = count
      idle = idling
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
    it.look()
    expect([it.own(), it.done]).toEqual([0, ['pause', 'scarce']])
    it.clients(195)
    it.look()
    expect([it.own(), it.done.length]).toEqual([0, 2])
    it.clients(190)
    it.look()
    expect([it.own(), it.done.slice(2)]).toEqual([32, ['resume', 'enough']])
  })

  test('are a share of what there is', () => {
    expect([null, 64, 256, 1024, 1_000_000].map(reserveOf)).toEqual([8, 8, 32, 64, 64])
  })
})
