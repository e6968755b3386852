import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'
import { openPartialArguments, type PartialArguments } from './partial-arguments'

/** Event of a function call in a part of a candidate. */
export type CallEvent =
  | { readonly type: 'start'; readonly tool: number; readonly id: unknown; readonly name: string }
  | { readonly type: 'arguments'; readonly tool: number; readonly text: string }

/**
 * The calls of one candidate. Most come whole; those of streamed arguments begin with a name and
 * `willContinue`, go on in parts without a name, and end with one that does not say so
 * (Vertex AI, function calling: `streamFunctionCallArguments`, Gemini 3; recorded 2026-05).
 */
export interface FunctionCalls {
  /** @throws Error when arguments go where none can be */
  read(call: Fields): readonly CallEvent[]
  /** The candidate is over, and with it a call that nobody ended. */
  end(): readonly CallEvent[]
  readonly count: number
}

interface MeteredCall {
  readonly tool: number
  readonly args: PartialArguments
}

const none: readonly CallEvent[] = []

export function openFunctionCalls(): FunctionCalls {
  let count = 0
  let open: MeteredCall | null = null

  const end = (): readonly CallEvent[] => {
    if (open === null) return none
    const { tool, args } = open
    open = null
    return [{ type: 'arguments', tool, text: args.text() }]
  }

  /** Continuation of an open call in this part. */
  const goOn = ({ args, partialArgs, willContinue }: Fields): readonly CallEvent[] => {
    if (open === null) return none
    if (isFields(args)) open.args.add(args)
    for (const each of listOf(partialArgs)) open.args.put(fieldsOf(each))
    return willContinue === true ? none : end()
  }

  return {
    read(call) {
      const { id, name, args } = call
      // Without a name it is the rest of a call, and nothing where there is none.
      if (typeof name !== 'string' || name === '') return goOn(call)
      const before = end()
      const tool = count++
      const start = { type: 'start', tool, id, name } as const
      if (call['willContinue'] !== true && call['partialArgs'] === undefined)
        return [...before, start, { type: 'arguments', tool, text: wholeArguments(args) }]
      open = { tool, args: openPartialArguments() }
      return [...before, start, ...goOn(call)]
    },
    end,
    get count() {
      return count
    },
  }
}
