import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from '../../src/gateway/json/fields'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'
import { chatWire } from './strict-chat'
import { geminiWire } from './strict-gemini'
import { messagesWire } from './strict-messages'
import { responsesWire } from './strict-responses'
import {
  chargeOf,
  countsOf,
  isModelId,
  modelIds,
  models,
  type ModelId,
  type WireFormat,
} from './vendors'
import { newMemory, Refused, type Answer, type Memory, type Read, type Wire } from './wire'

const wires: Readonly<Record<WireFormat, Wire>> = {
  chat: chatWire,
  messages: messagesWire,
  gemini: geminiWire,
  responses: responsesWire,
}

/** A charge by the model that answered, in nano-dollars. */
export type Charge = readonly [model: string, nanos: bigint]

/** One answer of a vendor, and what it had read. */
export interface Answered extends Read {
  readonly model: ModelId
  readonly called: boolean
}

/** What the models do with a request; the same for all. */
export type Player = (read: Read, model: ModelId) => Pick<Answer, 'call' | 'text'>

interface StrictVendors {
  readonly url: string
  readonly answered: Answered[]
  /** What was refused, and why. */
  readonly refused: string[]
  readonly charges: Charge[]
  play(player: Player): void
  close(): Promise<void>
}

/** Vendors that refuse what the real ones refuse. Each has a path of its own, named as its model. */
function openStrictVendors(): StrictVendors {
  // What one vendor of a format sealed, its other models read.
  const memories = new Map<Wire, Memory>(Object.values(wires).map((wire) => [wire, newMemory()]))
  const answered: Answered[] = []
  const refused: string[] = []
  const charges: Charge[] = []
  let player: Player = () => ({ text: 'Yes.', call: null })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const model = path.split('/')[1] ?? ''
      if (!isModelId(model) || request.method !== 'POST')
        return Response.json({ data: [] }, { status: 404 })
      const vendor = models[model]
      // A vendor of chat may have the newer endpoint beside it.
      const wire = path.endsWith('/responses') ? responsesWire : wires[vendor.format]
      const memory = memories.get(wire) ?? newMemory()
      try {
        const read = wire.read(fieldsOf(await request.json()), memory, path)
        const at = answered.length
        const counted = countsOf(vendor.format, vendor.dialect, at)
        const said = player(read, model)
        answered.push({ ...read, model, called: said.call !== null })
        charges.push([model, chargeOf(vendor, counted)])
        const thought = `Thought ${at} of ${model}.`
        return wire.answer({ model, at, thought, counted, ...said }, read, memory)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        refused.push(`${model}: ${error.message}`)
        return Response.json(wire.failure(error.message), { status: 400 })
      }
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    answered,
    refused,
    charges,
    play: (next) => void (player = next),
    close: () => server.stop(true),
  }
}

export interface Service {
  /** With the version. */
  readonly url: string
  readonly key: string
  readonly vendors: StrictVendors
  /** A command, started by a shell that has evaluated what `chapar env` prints. */
  withVariables(...words: readonly string[]): readonly string[]
  /** Runs a command of the program on the service's data. */
  command(...words: readonly string[]): Promise<unknown>
  /** Every recorded charge, once there are as many as vendors answered. */
  recorded(): Promise<readonly Charge[]>
  close(): Promise<void>
}

const nanosIn = (usd: string): bigint => {
  const [whole = '0', part = ''] = usd.split('.')
  return BigInt(whole) * 1_000_000_000n + BigInt(part.padEnd(9, '0'))
}

const addresses: Readonly<Record<WireFormat, string>> = {
  chat: '/v1',
  messages: '/v1',
  gemini: '/v1beta',
  responses: '/v1',
}

/** Names by which clients know what a model is like. */
const aliases = { 'claude-opus-4-7': 'adaptive', 'claude-sonnet-4-5': 'budget' } as const

/** The program as a user has it, with a model at each of the strict vendors. */
export async function openService(): Promise<Service> {
  const vendors = openStrictVendors()
  const data = temporaryFolder()
  const command = async (...words: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await run([...words, '--json'], { data })
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  const key = await addCustomer(command)
  for (const id of modelIds) await addModel(command, id, vendors.url)
  for (const [alias, id] of Object.entries(aliases))
    await command('model', 'alias', 'add', alias, '--model', id)
  const serving: Serving = await serve(['--data', data])
  const root = serving.url.replace(/\/v1$/, '')
  const { stdout: variables } = await run(['env', '--key', key, '--url', root])
  const list = async () =>
    (await command('requests', 'list', '--limit', '1000')) as {
      readonly data: readonly { model: string; usd: string; status: string }[]
    }
  return {
    url: serving.url,
    key,
    vendors,
    withVariables: (...words) => [
      'sh',
      '-c',
      'eval "$1"; shift; exec "$@"',
      'sh',
      variables,
      ...words,
    ],
    command,
    async recorded() {
      let { data: calls } = await list()
      for (let tries = 0; calls.length < vendors.charges.length && tries < 100; tries++) {
        await Bun.sleep(20)
        calls = (await list()).data
      }
      return calls.map(({ model, usd }): Charge => [model, nanosIn(usd)])
    },
    async close() {
      serving.kill('SIGTERM')
      await serving.exited
      await vendors.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

type Command = Service['command']

async function addCustomer(command: Command): Promise<string> {
  const created = async (...words: string[]) => fieldsOf(await command(...words))
  const generous = ['--verified', '--concurrency', '1000', '--rpm', '1000000']
  const account = String((await created('account', 'create', '--name', 'test', ...generous))['id'])
  await command('topup', account, '1000')
  const project = await created('project', 'create', '--account', account, '--name', 'test')
  const words = ['--project', String(project['id']), '--name', 'test', '--rpm', '1000000']
  return String((await created('key', 'create', ...words))['key'])
}

async function addModel(command: Command, id: ModelId, url: string): Promise<void> {
  const { kind, dialect, format, traits, prices } = models[id]
  const words = [
    `--base-url`,
    `${url}/${id}${addresses[format]}`,
    '--api-key',
    'sk-vendor',
    '--no-test',
  ]
  const named = kind === 'openai' ? ['--dialect', dialect] : []
  await command('vendor', 'add', '--name', id, '--kind', kind, ...named, ...words)
  const price = (name: string, usd: string) => ['--price', `${name}=${usd}`]
  await command(
    'model',
    'add',
    '--id',
    id,
    '--type',
    'chat',
    '--route',
    `${id}:${id}-of-vendor`,
    '--context',
    '400000',
    '--max-output',
    '64000',
    ...['vision', 'tools', 'streaming', 'reasoning'].flatMap((has) => [
      '--capability',
      `${has}=true`,
    ]),
    ...traits.flatMap((trait) => ['--trait', trait]),
    ...price('input_per_million', prices.input),
    ...price('cached_input_per_million', prices.cached),
    ...price('cache_write_per_million', prices.written),
    ...price('cache_write_1h_per_million', prices.writtenLong),
    ...price('output_per_million', prices.output),
  )
}

/** What a package among the tools of the tests starts. */
export const toolPath = (...parts: readonly string[]): string =>
  join(import.meta.dir, '../tools', ...parts)
