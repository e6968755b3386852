/** Calls of several kinds without end, and what their clients were told. */
import type { Told } from './books'
import { BrokenCall, Connection, type CallAnswer } from './connection'

/** What a customer calls with, and what may be refused to it. */
export interface Caller {
  readonly key: string
  /** Its money ends before the test does: then it is refused. */
  readonly isLimited: boolean
}

export interface Load {
  /** Whole answers by request id. Emptied by whoever looks. */
  takeTold(): ReadonlyMap<string, Told>
  takeBroken(): readonly BrokenCall[]
  /** Answers that nobody should get. */
  takeWrong(): readonly CallAnswer[]
  /** Whole answers so far, streams among them. */
  count(): number
  end(): Promise<void>
}

/** A connection is left after so many calls, for another one. */
const callsOfConnection = 20
const okStatus = 200
/** Of callers whose money ends. */
const refusals: ReadonlySet<number> = new Set([402, 429])
const refusedMs = 20
/** Between calls of one client: processes that begin need the cores too. */
const pauseMs = 10

interface Heard {
  answers: Map<string, Told>
  broken: BrokenCall[]
  wrong: CallAnswer[]
  count: number
}

/** Two in three of a caller's connections ask for whole answers, the others for streams. */
export function openCalls(url: URL, callers: readonly Caller[], each: number): Load {
  const told: Heard = { answers: new Map(), broken: [], wrong: [], count: 0 }
  const state = { isOver: false }
  const workers = callers.flatMap((caller) =>
    Array.from({ length: each }, (_, at) => work(url, caller, at % 3 === 2, told, state)),
  )
  return {
    takeTold() {
      const { answers } = told
      told.answers = new Map()
      return answers
    },
    takeBroken: () => told.broken.splice(0),
    takeWrong: () => told.wrong.splice(0),
    count: () => told.count,
    async end() {
      state.isOver = true
      await Promise.all(workers)
    },
  }
}

async function work(
  url: URL,
  caller: Caller,
  stream: boolean,
  told: Heard,
  state: { readonly isOver: boolean },
): Promise<void> {
  while (!state.isOver)
    try {
      const connection = await Connection.open(url)
      for (let call = 0; call < callsOfConnection && connection.isOpen && !state.isOver; call++)
        await callOnce(connection, caller, stream, told)
      connection.close()
    } catch (thrown) {
      if (!(thrown instanceof BrokenCall)) throw thrown
      told.broken.push(thrown)
      await Bun.sleep(1)
    }
}

async function callOnce(
  connection: Connection,
  { key, isLimited }: Caller,
  stream: boolean,
  told: Heard,
): Promise<void> {
  const messages = [{ role: 'user', content: 'one two three' }]
  const body = { model: 'priced', stream, messages, max_tokens: 60 }
  const answer = await connection.call('/v1/chat/completions', key, body)
  if (answer.status === okStatus) {
    told.count++
    told.answers.set(answer.id, { usd: answer.cost, isLimited })
    return await Bun.sleep(Math.random() * pauseMs)
  }
  if (isLimited && refusals.has(answer.status)) return await Bun.sleep(refusedMs)
  told.wrong.push(answer)
  await Bun.sleep(refusedMs)
}
