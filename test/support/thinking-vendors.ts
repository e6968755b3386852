import { textOf } from '../../src/gateway/formats/chat/wire'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { chunk, streamReply, usage } from './stand-in'

/*
 * Vendors that think before they call a tool, and know what belongs to a thought: all call ids are
 * `functions.f:0`, as Kimi's first calls are in every conversation.
 */

export const families = ['kimi', 'gpt', 'claude', 'gemini'] as const
type Family = (typeof families)[number]

/** A family at one of its two accounts. */
export const accounts = families.flatMap((family) => [`${family}-a`, `${family}-b`])

/** What a vendor read of one message: what was said, and the thoughts that came with it. */
interface Read {
  readonly said: string
  readonly thoughts: readonly string[]
  readonly calls: boolean
}

interface Thought {
  readonly account: string
  readonly endUser: string
  /** What was said before it and in its own turn. */
  readonly said: readonly string[]
}

/** Next answers of all vendors. */
interface Script {
  readonly text: string
  readonly args: string
}

const callId = 'functions.f:0'
const inOrder = (args: unknown): string =>
  JSON.stringify(fieldsOf(args), Object.keys(fieldsOf(args)).sort())
const parsed = (args: string): unknown => JSON.parse(args)
const turn = (text: string, args: readonly string[]): string => JSON.stringify([text, ...args])

const readers: Readonly<Record<Family, (body: Fields) => readonly Read[]>> = {
  kimi: ({ messages }) =>
    listOf(messages).map((each) => {
      const { role, content, tool_calls: calls, reasoning_content } = fieldsOf(each)
      const thought = textOf(reasoning_content) ?? ''
      if (role !== 'assistant') return plain([role, content])
      const args = listOf(calls).map((call) =>
        inOrder(JSON.parse(String(fieldsOf(fieldsOf(call)['function'])['arguments']))),
      )
      return {
        said: turn(textOf(content) ?? '', args),
        thoughts: thought === '' ? [] : [thought],
        calls: args.length > 0,
      }
    }),
  gpt({ input }) {
    const reads: Read[] = []
    let open: { text: string; args: string[]; thoughts: string[] } | null = null
    const close = () => {
      if (open !== null)
        reads.push({
          said: turn(open.text, open.args),
          thoughts: open.thoughts,
          calls: open.args.length > 0,
        })
      open = null
    }
    for (const each of listOf(input)) {
      const { type, role, content, arguments: args, encrypted_content: sealed } = fieldsOf(each)
      if (type === 'reasoning' || type === 'function_call' || role === 'assistant') {
        open ??= { text: '', args: [], thoughts: [] }
        if (type === 'reasoning') open.thoughts.push(String(sealed))
        else if (type === 'function_call') open.args.push(inOrder(JSON.parse(String(args))))
        else open.text += String(content)
      } else {
        close()
        reads.push(plain(each))
      }
    }
    close()
    return reads
  },
  claude: ({ system, messages }) => [
    plain(system),
    ...listOf(messages).map((each) => {
      const { role, content } = fieldsOf(each)
      if (role !== 'assistant') return plain(content)
      const blocks = listOf(content).map(fieldsOf)
      const of = (type: string) => blocks.filter((block) => block['type'] === type)
      return {
        said: turn(
          of('text')
            .map(({ text }) => String(text))
            .join(''),
          of('tool_use').map(({ input }) => inOrder(input)),
        ),
        thoughts: of('thinking').map(({ signature }) => String(signature)),
        calls: of('tool_use').length > 0,
      }
    }),
  ],
  gemini: ({ systemInstruction, contents }) => [
    plain(systemInstruction),
    ...listOf(contents).map((each) => {
      const { role, parts } = fieldsOf(each)
      if (role !== 'model') return plain(parts)
      const all = listOf(parts).map(fieldsOf)
      const calls = all.filter(({ functionCall }) => functionCall !== undefined)
      return {
        said: turn(
          all.map(({ text }) => textOf(text) ?? '').join(''),
          calls.map(({ functionCall }) => inOrder(fieldsOf(functionCall)['args'])),
        ),
        thoughts: calls.flatMap(({ thoughtSignature: signed }) =>
          typeof signed === 'string' && signed !== 'skip_thought_signature_validator'
            ? [signed]
            : [],
        ),
        calls: calls.length > 0,
      }
    }),
  ],
}

const plain = (value: unknown): Read => ({
  said: JSON.stringify(value ?? null),
  thoughts: [],
  calls: false,
})

const writers: Readonly<
  Record<Family, (script: Script, thought: string, stream: boolean) => Response>
> = {
  kimi({ text, args }, thought, stream) {
    const call = { id: callId, type: 'function', function: { name: 'f', arguments: args } }
    if (stream)
      return streamReply([
        chunk({ role: 'assistant', reasoning_content: thought }),
        ...(text.match(/\s*\S+/g) ?? []).map((word) => chunk({ content: word })),
        chunk({
          tool_calls: [{ index: 0, ...call, function: { name: 'f', arguments: args.slice(0, 3) } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: args.slice(3) } }] }),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ])
    const message = {
      role: 'assistant',
      content: text,
      reasoning_content: thought,
      tool_calls: [call],
    }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage })
  },
  gpt: ({ text, args }, thought) =>
    Response.json({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: thought },
        ...(text === ''
          ? []
          : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
        { type: 'function_call', id: 'fc_1', call_id: callId, name: 'f', arguments: args },
      ],
      usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
    }),
  claude: ({ text, args }, thought) =>
    Response.json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: thought },
        ...(text === '' ? [] : [{ type: 'text', text }]),
        { type: 'tool_use', id: callId, name: 'f', input: parsed(args) },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 9 },
    }),
  gemini: ({ text, args }, thought) =>
    Response.json({
      candidates: [
        {
          index: 0,
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: [
              ...(text === '' ? [] : [{ text }]),
              {
                functionCall: { id: callId, name: 'f', args: parsed(args) },
                thoughtSignature: thought,
              },
            ],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
    }),
}

const refusals: Readonly<Record<Family, object>> = {
  kimi: { error: { message: 'broken' } },
  gpt: {
    error: {
      message: 'The encrypted content gAAA could not be verified.',
      type: 'invalid_request_error',
      code: 'invalid_encrypted_content',
    },
  },
  claude: {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    },
  },
  gemini: {
    error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' },
  },
}

/** What a vendor was asked last. */
interface SeenTurns {
  readonly account: string
  readonly turns: readonly Read[]
}

export interface ThinkingVendors {
  /** Base address of an account, without a version. */
  urlOf(account: string): string
  /** Thoughts that were sent to where they do not belong, since this was asked last. */
  takeFaults(): readonly string[]
  readonly last: SeenTurns | null
  /** @param endUser whom the next request is of */
  next(script: Script, endUser: string): void
  /** This account, and no other, fails the next time it is asked. */
  fail(account: string): void
  /** The account reads no sealed thoughts of before any more, as after a change of its keys. */
  forget(account: string): void
  close(): Promise<void>
}

export function openThinkingVendors(): ThinkingVendors {
  const thoughts = new Map<string, Thought>()
  const forgotten = new Set<string>()
  const failing = new Set<string>()
  const faults: string[] = []
  let script: Script = { text: '', args: '{}' }
  let endUser = ''
  let last: SeenTurns | null = null

  const check = (account: string, turns: readonly Read[], at: number, thought: string) => {
    const known = thoughts.get(thought)
    const before = JSON.stringify(turns.slice(0, at + 1).map(({ said }) => said))
    if (known === undefined) faults.push(`${account}: unknown ${thought}`)
    else if (known.account !== account) faults.push(`${account}: thought by ${known.account}`)
    else if (known.endUser !== endUser) faults.push(`${account}: thought for ${known.endUser}`)
    else if (JSON.stringify(known.said) !== before)
      faults.push(`${account}: thought after ${JSON.stringify(known.said)}, not ${before}`)
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const account = new URL(request.url).pathname.split('/')[1] ?? ''
      const family = families.find((each) => account.startsWith(each)) ?? 'kimi'
      if (failing.delete(account))
        return Response.json({ error: { message: 'down' } }, { status: 503 })
      const body = fieldsOf(await request.json())
      const turns = readers[family](body)
      for (const [at, { thoughts: sent }] of turns.entries())
        for (const thought of sent) check(account, turns, at, thought)
      if (turns.some(({ thoughts: sent }) => sent.some((each) => forgotten.has(each))))
        return Response.json(refusals[family], { status: 400 })
      last = { account, turns }
      const thought = `thought ${thoughts.size}`
      const answer = turn(script.text, [inOrder(JSON.parse(script.args))])
      thoughts.set(thought, { account, endUser, said: [...turns.map(({ said }) => said), answer] })
      return writers[family](script, thought, body['stream'] === true)
    },
  })
  return {
    urlOf: (account) => `http://127.0.0.1:${server.port}/${account}`,
    takeFaults: () => faults.splice(0),
    get last() {
      return last
    },
    next(answer, user) {
      script = answer
      endUser = user
    },
    fail(account) {
      failing.clear()
      failing.add(account)
    },
    forget(account) {
      if (account.startsWith('kimi')) return
      for (const [text, thought] of thoughts) if (thought.account === account) forgotten.add(text)
    },
    close: () => server.stop(true),
  }
}
