import { expect, test } from 'bun:test'
import type { Budget } from '../../src/gateway/call/budget'
import { Coverage, maxUncheckedBytes, type CoverageOwner } from '../../src/gateway/call/coverage'
import type { StreamAnswer } from '../../src/gateway/call/endpoint'
import { zeroUsd } from '../../src/domain/money'
import { noUsage, type Usage } from '../../src/domain/usage'
import { GatewayError } from '../../src/errors/gateway-error'
import { openSource } from '../../src/gateway/outbound/http1/open-source'

const none = { available: zeroUsd, held: zeroUsd, needed: zeroUsd }
const refusal = new GatewayError('insufficient_credit', none)

/** Text of which two characters are paid for, and more once others were asked. */
function covered() {
  const others = Promise.withResolvers<number>()
  let paid = 2
  let chars = 0
  let marked = 0
  const usage = (): Usage => ({ ...noUsage, units: { output: chars } })
  const answer: StreamAnswer = {
    kind: 'stream',
    head: null,
    source: openSource({ pause() {}, resume() {} }).source,
    pass(chunk) {
      chars += chunk.byteLength
      return Buffer.from(chunk).toString()
    },
    broken: () => null,
    sent: () => true,
    ended: () => null,
    complete: () => false,
    usage,
    close: () => '',
    progress: {
      chars: () => chars,
      mark: () => void (marked = chars),
      rewind: () => void (chars = marked),
    },
  }
  const budget: Budget = {
    cover({ units }) {
      if ((units['output'] ?? 0) > paid) throw refusal
      return 0
    },
    async coverFromAll({ units }) {
      paid = await others.promise
      if ((units['output'] ?? 0) > paid) throw refusal
      return 0
    },
  }
  const seen: string[] = []
  const owner = {
    isOver: false as boolean,
    covered: (out: string | null) => void seen.push(out === null ? 'nothing' : brief(out)),
    uncovered(why: GatewayError, used: Usage) {
      owner.isOver = true
      seen.push(`${why.code} after ${used.units['output']}`)
    },
    broke(thrown: unknown) {
      owner.isOver = true
      seen.push(`broke: ${String(thrown)}`)
    },
    pause: () => void seen.push('pause'),
    resume: () => void seen.push('resume'),
  } satisfies CoverageOwner<string>
  const coverage = new Coverage<string>(answer, budget, owner)
  const take = (text: string) => {
    const bytes = Buffer.from(text)
    coverage.take(bytes)
    // As a socket does with its buffer.
    bytes.fill(0x3f)
  }
  return { answer, coverage, owner, take, seen, others }
}

const brief = (text: string): string => (text.length > 9 ? `${text[0]}×${text.length}` : text)
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what comes while others are asked waits in its order, steps too', async () => {
  const { coverage, take, seen, others } = covered()
  take('ab')
  for (const piece of ['c', 'd', 'e']) take(piece)
  coverage.behind(() => void seen.push('end'))
  expect(seen).toEqual(['ab', 'pause'])
  expect(coverage.isAsking).toBe(true)
  others.resolve(5)
  await settled()
  expect(seen).toEqual(['ab', 'pause', 'c', 'd', 'e', 'end', 'resume'])
  expect(coverage.isAsking).toBe(false)
})

test('so does the rest of a large piece', async () => {
  const { take, seen, others } = covered()
  take('x'.repeat(maxUncheckedBytes + 10))
  take('y')
  expect(seen).toEqual(['pause'])
  others.resolve(1e9)
  await settled()
  expect(seen).toEqual(['pause', `x×${maxUncheckedBytes}`, 'x×10', 'y', 'resume'])
})

test('money that ends meanwhile again is asked for again, and nothing overtakes it', async () => {
  const { coverage, take, seen, others } = covered()
  for (const piece of ['abc', 'd', 'e']) take(piece)
  coverage.behind(() => void seen.push('end'))
  others.resolve(3)
  await settled()
  expect(seen).toEqual(['pause', 'abc', 'pause', 'insufficient_credit after 3', 'resume'])
})

test('an answer that nobody pays for ends before the piece, and nothing comes behind it', async () => {
  const { coverage, take, seen, others } = covered()
  take('ab')
  take('c')
  take('d')
  coverage.behind(() => void seen.push('end'))
  others.resolve(2)
  await settled()
  expect(seen).toEqual(['ab', 'pause', 'insufficient_credit after 2', 'resume'])
})

test('one that is over meanwhile counts no piece that waits', async () => {
  const { coverage, owner, take, seen, others } = covered()
  take('ab')
  take('c')
  owner.isOver = true
  expect(coverage.usage().units['output']).toBe(2)
  others.resolve(9)
  await settled()
  take('d')
  expect(seen).toEqual(['ab', 'pause', 'resume'])
})

test('where others cannot be asked, it breaks once', async () => {
  const { coverage, take, seen, others } = covered()
  take('ab')
  take('c')
  take('d')
  coverage.behind(() => void seen.push('end'))
  others.reject(new Error('away'))
  await settled()
  expect(seen).toEqual(['ab', 'pause', 'broke: Error: away', 'resume'])
})

test('a step that throws breaks it', () => {
  const { coverage, take, seen } = covered()
  coverage.behind(() => {
    throw new Error('no end')
  })
  take('a')
  expect(seen).toEqual(['broke: Error: no end'])
})

test('what comes while a piece takes several turns waits in its order', async () => {
  const { answer, coverage, seen, take } = covered()
  const late = Promise.withResolvers<string>()
  const { pass } = answer
  answer.pass = (chunk) => {
    answer.pass = pass
    void pass(chunk)
    return late.promise
  }
  take('a')
  take('b')
  coverage.behind(() => void seen.push('end'))
  expect(seen).toEqual(['pause'])
  late.resolve('A')
  await settled()
  expect(seen).toEqual(['pause', 'A', 'b', 'end', 'resume'])
})

test('a piece that fails in a later turn breaks the answer', async () => {
  const { answer, seen, take } = covered()
  answer.pass = () => Promise.reject(new Error('no event'))
  take('a')
  await settled()
  expect(seen).toEqual(['pause', 'broke: Error: no event', 'resume'])
})
