import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fieldsOf } from '../../src/gateway/json/fields'
import {
  aiSdkRuns,
  hasAiSdk,
  hasPython,
  pythonRuns,
  type ClientJob,
  type ClientRun,
} from '../support/shapes/client-run'
import type { Shape, ShapeSays } from '../support/shapes/shape'
import { shapes } from '../support/shapes/shapes'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

const idOf = (shape: Shape): string => `shape-${shapes.indexOf(shape)}`

let vendor: StandIn
let chapar: TestGateway
let job: ClientJob
/** Other people's programs, started at once: they take their time. */
let aiSdk: Promise<readonly ClientRun[]>
let python: Promise<readonly ClientRun[]>

beforeAll(async () => {
  vendor = openStandIn((seen) => {
    // The name of the model stands in the body or, at one vendor, in the path.
    const id = /shape-(\d+)-vendor/.exec(`${String(seen.body['model'])} ${seen.path}`)?.[1]
    return streamReply(shapes[Number(id)]?.events ?? [])
  })
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const shape of shapes) {
        const { kind, dialect = 'openai', traits = {} } = shape
        const id = idOf(shape)
        await addHubVendor({ kind, dialect, url: vendor.url, name: id, models: { [id]: traits } })(
          storage,
        )
      }
    },
  })
  const { url, key } = chapar
  job = { url, key, models: shapes.map(idOf), tools: ['weather', 'clock'] }
  aiSdk = hasAiSdk() ? aiSdkRuns(job) : Promise.resolve([])
  python = hasPython() ? pythonRuns(job) : Promise.resolve([])
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

type Said = Pick<ClientRun, 'text' | 'calls' | 'cites'>

const called = (name: string, args: string) => ({ name, arguments: JSON.parse(args) as unknown })
const hello = [{ role: 'user' as const, content: 'Hello' }]
const parameters = { type: 'object' as const }

async function chat(client: OpenAI, model: string): Promise<Said> {
  const tools = job.tools.map((name) => ({
    type: 'function' as const,
    function: { name, parameters },
  }))
  const final = await client.chat.completions
    .stream({ model, messages: hello, tools })
    .finalChatCompletion()
  const message = final.choices[0]?.message
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [called(call.function.name, call.function.arguments)] : [],
    ),
    cites: (message?.annotations ?? []).map((each) => each.url_citation.url),
  }
}

async function responses(client: OpenAI, model: string): Promise<Said> {
  const tools = job.tools.map((name) => ({
    type: 'function' as const,
    name,
    parameters,
    strict: false,
  }))
  const final = await client.responses.stream({ model, input: 'Hello', tools }).finalResponse()
  const parts = final.output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const cited = parts.flatMap((part) => (part.type === 'output_text' ? part.annotations : []))
  return {
    text: final.output_text,
    calls: final.output.flatMap((item) =>
      item.type === 'function_call' ? [called(item.name, item.arguments)] : [],
    ),
    cites: cited.flatMap((each) => (each.type === 'url_citation' ? [each.url] : [])),
  }
}

async function messages(client: Anthropic, model: string): Promise<Said> {
  const tools = job.tools.map((name) => ({ name, input_schema: parameters }))
  const { content } = await client.messages
    .stream({ model, messages: hello, tools, max_tokens: 1000 })
    .finalMessage()
  const texts = content.flatMap((block) => (block.type === 'text' ? [block] : []))
  const cited = texts.flatMap(({ citations }) => citations ?? [])
  return {
    text: texts.map(({ text }) => text).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
    ),
    cites: cited.flatMap((each) => (each.type === 'web_search_result_location' ? [each.url] : [])),
  }
}

/** Every shape through one client of this process. */
const runs = (client: string, ask: (model: string) => Promise<Said>): Promise<ClientRun[]> =>
  Promise.all(
    shapes.map(async (shape) => {
      const model = idOf(shape)
      const nothing = { text: '', calls: [], cites: [], error: null }
      return ask(model).then(
        (said): ClientRun => ({ ...nothing, client, model, ...said }),
        (thrown: unknown): ClientRun => ({ ...nothing, client, model, error: failureOf(thrown) }),
      )
    }),
  )

function failureOf(thrown: unknown): ClientRun['error'] {
  const { status, error } = fieldsOf(thrown)
  const { code, error: inner } = fieldsOf(error)
  const told = code ?? fieldsOf(inner)['code']
  return {
    status: typeof status === 'number' ? status : null,
    code: typeof told === 'string' ? told : null,
    message: String(thrown),
  }
}

/** Clients that read no citations. */
const tellsNoSources: ReadonlySet<string> = new Set(['@ai-sdk/openai-compatible'])

/** What differs from what the vendors said, by shape. */
function faults(ran: readonly ClientRun[]): Readonly<Record<string, unknown>> {
  const wrong: Record<string, unknown> = {}
  for (const shape of shapes) {
    const run = ran.find(({ model }) => model === idOf(shape))
    const place = `${run?.client}: ${shape.name}`
    if (run === undefined || !isRight(run, shape.says)) wrong[place] = run ?? 'not run'
  }
  return wrong
}

function isRight({ client, text, calls, cites, error }: ClientRun, said: Shape['says']): boolean {
  if ('status' in said) return error?.status === said.status && error.code === said.code
  const got: ShapeSays = { text, calls, cites: tellsNoSources.has(client) ? said.cites : cites }
  return error === null && Bun.deepEquals(got, said)
}

describe('a stream of every recorded shape reaches', () => {
  const client = () => new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })

  test('openai-node, chat', async () => {
    const openai = client()
    expect(faults(await runs('openai-node chat', (model) => chat(openai, model)))).toEqual({})
  })

  test('openai-node, responses', async () => {
    const openai = client()
    const ran = await runs('openai-node responses', (model) => responses(openai, model))
    expect(faults(ran)).toEqual({})
  })

  test('anthropic-node', async () => {
    const baseURL = chapar.url.replace(/\/v1$/, '')
    const anthropic = new Anthropic({ apiKey: chapar.key, baseURL, maxRetries: 0 })
    const ran = await runs('anthropic-node', (model) => messages(anthropic, model))
    expect(faults(ran)).toEqual({})
  })

  // Their packages come with `scripts/test` and with `scripts/test clients`.
  test.skipIf(!hasAiSdk())("the AI SDK's providers", async () => {
    expectAll(await aiSdk, 4)
  })

  test.skipIf(!hasPython())('the official Python clients', async () => {
    expectAll(await python, 3)
  })
})

function expectAll(ran: readonly ClientRun[], clients: number): void {
  const names = [...new Set(ran.map(({ client }) => client))]
  expect(names).toHaveLength(clients)
  for (const name of names) expect(faults(ran.filter(({ client }) => client === name))).toEqual({})
}
