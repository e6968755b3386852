import { describe, expect, test } from 'bun:test'
import { openNodeBus, type NodeBus } from '../../src/server/cluster/node-bus'
import { topic } from '../../src/server/cluster/bus'
import { thrownBy } from '../support/thrown-by'
import { paced } from '../support/pace'

const echo = topic<string, string>('echo')
const numbers = topic<null, number>('numbers')
const news = topic<string>('news')

/** Nodes that hear each other as by notices of a database: whole tellings, in their order, and never oneself. */
function openNodes(count: number, { living = count, isLost = (_: string): boolean => false } = {}) {
  const messages: string[] = []
  const nodes: NodeBus[] = Array.from({ length: count }, (_, at) =>
    openNodeBus({
      node: at,
      living: () => living,
      answerMs: 100,
      async tell(told) {
        await Promise.resolve()
        messages.push(...told)
        for (const message of told)
          for (const [other, { hear }] of nodes.entries())
            if (other !== at && !isLost(message)) hear(at, message)
      },
    }),
  )
  return { nodes, messages, bus: (at: number) => nodes[at]?.bus as NodeBus['bus'] }
}

describe('nodes by short messages', () => {
  test('ask all others, and hear who answers', async () => {
    const { bus } = openNodes(3)
    for (const at of [0, 1, 2]) bus(at).on(numbers, () => at)
    expect(new Set(await bus(0).others(numbers, null))).toEqual(new Set([1, 2]))
    expect(new Set(await bus(2).others(numbers, null))).toEqual(new Set([0, 1]))
  })

  test('wait no longer than that for one that says nothing', async () => {
    const { bus } = openNodes(2, { living: 3 })
    bus(1).on(numbers, () => 1)
    const began = performance.now()
    expect(await bus(0).others(numbers, null)).toEqual([1])
    expect(performance.now() - began).toBeGreaterThan(90)
  })

  test('wait for nobody where each has answered, be it that it knows nothing', async () => {
    const { bus } = openNodes(2)
    const began = performance.now()
    expect(await bus(0).others(numbers, null)).toEqual([])
    bus(1).on(numbers, () => Promise.reject(new Error('no')))
    expect(await bus(0).others(numbers, null)).toEqual([])
    expect(performance.now() - began).toBeLessThan(paced(90))
  })

  test('say long things in parts that a notice takes, whatever characters they have', async () => {
    const { bus, messages } = openNodes(2)
    bus(1).on(echo, (text) => text)
    const text = 'سلام "\\ \n\0😀 '.repeat(5000)
    expect(await bus(0).others(echo, text)).toEqual([text])
    expect(messages.length).toBeGreaterThan(20)
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(7900)
  })

  test('drop what came in part, and hear the next', async () => {
    const heard: string[] = []
    let lost = 1
    const { bus } = openNodes(2, { isLost: (message) => / 1 \d+ /.test(message) && lost-- > 0 })
    bus(1).on(news, (text) => {
      heard.push(text.slice(0, 3))
      return null
    })
    bus(0).tell(news, 'one'.repeat(10_000))
    await Bun.sleep(0)
    bus(0).tell(news, 'two'.repeat(10_000))
    await Bun.sleep(0)
    expect(heard).toEqual(['two'])
  })

  test('say nothing where nobody else serves, or of what is beyond all measure', async () => {
    const alone = openNodes(1)
    alone.bus(0).tell(news, 'one')
    expect(await alone.bus(0).others(numbers, null)).toEqual([])
    expect(alone.messages).toEqual([])
    const { bus, messages } = openNodes(2)
    bus(1).on(numbers, () => 'x'.repeat(5_000_000) as never)
    expect(await bus(0).others(numbers, null)).toEqual([])
    expect(messages).toHaveLength(2)
  })

  test('fail to ask where nothing can be told', async () => {
    const { bus } = openNodeBus({
      node: 1,
      living: () => 2,
      tell: () => Promise.reject(new Error('away')),
    })
    bus.tell(news, 'lost')
    expect(await thrownBy(bus.others(numbers, null))).toMatchObject({ message: 'away' })
  })
})
