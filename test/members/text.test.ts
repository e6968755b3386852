import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Fields } from '../../src/json/fields'
import { formats, openTextDesk, type Desk, type Format } from './desk'
import { membersOf } from './official-members'
import { chatTable, completionsTable, messagesTable, responsesTable } from './text-table'
import { misjudged, type Row } from './verdict'

let desk: Desk
beforeAll(async () => void (desk = await openTextDesk()))
afterAll(() => desk.close())

const said = [{ role: 'user', content: 'hi' }]
const openai = 'resources/chat/completions/completions'
const anthropic = 'resources/messages/messages'
const beta = 'resources/beta/messages/messages'

interface Endpoint {
  readonly path: string
  /** What no request goes without. */
  readonly base: Fields
  readonly table: Readonly<Record<string, Row<Format>>>
  /** Where clients declare what can be sent: file and interface. */
  readonly declared: readonly (readonly [file: string, name: string])[]
}

/** The present clients, and those that many still have. */
const ofOpenAi = (file: string, name: string): Endpoint['declared'] => [
  [`openai/${file}`, name],
  [`openai-6/${file}`, name],
]

const endpoints: readonly Endpoint[] = [
  {
    path: '/chat/completions',
    base: { messages: said },
    table: chatTable,
    declared: ofOpenAi(openai, 'ChatCompletionCreateParamsBase'),
  },
  {
    path: '/responses',
    base: { input: 'hi' },
    table: { ...responsesTable },
    declared: ofOpenAi('resources/responses/responses', 'ResponseCreateParamsBase'),
  },
  {
    path: '/messages',
    base: { messages: said },
    table: messagesTable,
    declared: [
      [`@anthropic-ai/sdk/${anthropic}`, 'MessageCreateParamsBase'],
      [`@anthropic-ai/sdk/${beta}`, 'MessageCreateParamsBase'],
      [`anthropic-0/${anthropic}`, 'MessageCreateParamsBase'],
      [`anthropic-0/${beta}`, 'MessageCreateParamsBase'],
    ],
  },
  {
    path: '/completions',
    base: { prompt: 'hi' },
    table: completionsTable,
    declared: ofOpenAi('resources/completions', 'CompletionCreateParamsBase'),
  },
]

/** What the client makes headers of, and what has tests of its own. */
const beside = new Set(['model', 'betas', 'previous_response_id'])

test('whatever is counted asks no vendor and is never refused', async () => {
  const members = new Set(
    [anthropic, beta].flatMap((file) =>
      membersOf(`@anthropic-ai/sdk/${file}`, 'MessageCountTokensParams'),
    ),
  )
  const others = [...members].filter((name) => !beside.has(name) && name !== 'messages')
  expect(others.length).toBeGreaterThan(10)
  for (const name of others) {
    const { sample } = messagesTable[name] ?? { sample: `no row for ${name}` }
    const body = { messages: said, model: 'anthropic', [name]: sample }
    const { status, body: received } = await desk.ask('/messages/count_tokens', body)
    expect({ name, status, received }).toEqual({ name, status: 200, received: null })
  }
})

describe.each(endpoints)('what clients can send to $path', ({ path, base, table, declared }) => {
  test('is in the table, all of it', () => {
    const members = new Set(declared.flatMap(([file, name]) => membersOf(file, name)))
    const known = (name: string) => beside.has(name) || Object.hasOwn(base, name)
    expect([...members].filter((name) => !known(name)).sort()).toEqual(Object.keys(table).sort())
  })

  test.each(formats)('reaches a vendor of the format %s as the table says', async (format) => {
    const wrong: Record<string, string> = {}
    for (const [name, { sample, beside: extra, verdicts }] of Object.entries(table)) {
      const body = { ...base, ...extra, model: format }
      const without = await desk.ask(path, body)
      const came = await desk.ask(path, { ...body, [name]: sample })
      const found = misjudged(name, sample, verdicts[format], { came, without })
      if (found !== null) wrong[name] = found
    }
    expect(wrong).toEqual({})
  })
})
