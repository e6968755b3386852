import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('settings', 'set', 'sandbox', 'on')
  const address = ['--base-url', 'http://127.0.0.1:9/v1', '--api-key', 'a-key-of-vendor']
  await terminal.run('vendor', 'add', '--name', 'v', '--kind', 'openai', '--no-test', ...address)
})
afterEach(() => terminal.close())

interface Model extends Record<string, unknown> {
  readonly id: string
  readonly status: string
  readonly routes: readonly string[]
  readonly pricing: Readonly<Record<string, string>>
  readonly card_version: string
}

const prices = ['--price', 'input_per_million=1.5', '--price', 'output_per_million=6']
const addArgs = (...settings: readonly string[]) =>
  ['model', 'add', '--id', 'priced', '--type', 'chat'].concat(settings)
const add = (...settings: readonly string[]) =>
  terminal.json<Model>(...addArgs('--route', 'v:m', ...prices, ...settings))
const set = (...change: readonly string[]) =>
  terminal.json<Model>('model', 'set', 'priced', ...change)
const onSale = async (...filter: readonly string[]) =>
  (await terminal.json<{ data: Model[] }>('model', 'list', ...filter)).data.map(({ id }) => id)

describe('model add', () => {
  test('gives the model in the words of the specification', async () => {
    const size = ['--context', '8192', '--max-output', '1024', '--owned-by', 'acme']
    const added = await add(...size, '--price', 'cached_input_per_million=0.3')
    expect(added).toMatchObject({
      id: 'priced',
      object: 'model',
      owned_by: 'acme',
      name: 'priced',
      type: 'chat',
      description: null,
      context_length: 8192,
      max_output_tokens: 1024,
      is_free: false,
      pricing: {
        input_per_million: '1.5',
        output_per_million: '6',
        cached_input_per_million: '0.3',
      },
      pricing_unit: 'million_tokens',
      status: 'active',
      routes: ['v:m'],
    })
    expect(await onSale()).toContain('priced')
    expect(await terminal.json<object>('model', 'show', 'priced')).toEqual(added)
  })

  test('takes the built-in sandbox and vendors of the environment as routes', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', GROQ_API_KEY: 'a-key-of-groq' })
    const { routes } = await terminal.json<Model>(
      ...addArgs('--route', 'sandbox:echo', '--route', 'groq:llama', ...prices),
    )
    expect(routes).toEqual(['sandbox:echo', 'groq:llama'])
  })

  test.each([
    ['v:org/model:free', 'v:org/model:free'],
    ['v:model:3', 'v:model:3:1'],
    ['v:model:0:5', 'v:model:0:5'],
    ['v:model:8:0:1', 'v:model:8:0:1'],
    ['v:model:0:1', 'v:model'],
  ])('reads the route %s as %s', async (text, shown) => {
    const { routes } = await terminal.json<Model>(...addArgs('--route', text, ...prices))
    expect(routes).toEqual([shown])
    // What is shown can be typed.
    expect((await set('--route', shown)).routes).toEqual([shown])
  })

  test('orders routes as they are given, unless their priorities say otherwise', async () => {
    expect((await add('--route', 'v:second', '--route', 'sandbox:echo:0:3')).routes).toEqual([
      'v:m',
      'sandbox:echo:0:3',
      'v:second:1:1',
    ])
  })

  test.each([
    [['--route', 'nobody:m', ...prices], 1, 'there is no vendor nobody; there are: sandbox, v'],
    [['--route', 'm', ...prices], 2, 'A route is VENDOR:MODEL'],
    [['--route', 'v:', ...prices], 2, 'A route is VENDOR:MODEL'],
    [['--route', 'v:m:0:0', ...prices], 2, 'from 1'],
    [[...prices], 1, 'a model needs a way to it'],
    [['--route', 'v:m'], 1, 'without these prices above zero: input, output'],
    [['--route', 'v:m', '--price', 'input_per_million=1'], 1, 'above zero: output'],
    [['--route', 'v:m', ...prices.slice(0, 2), '--price', 'output_per_million=0'], 1, '--free'],
    [['--route', 'v:m', ...prices, '--free'], 1, 'a free chat model is not sold with: input'],
    [['--route', 'v:m', '--price', 'input=1'], 2, 'there are: input_per_million'],
    [['--route', 'v:m', '--price', 'input_per_million=-1'], 2, 'a decimal number from 0'],
    [['--route', 'v:m', ...prices, ...prices], 2, 'given before'],
    [['--route', 'v:m', ...prices, '--trait', 'dropp=["x"]'], 2, 'there are: drop'],
    [['--route', 'v:m', ...prices, '--trait', 'drop=x'], 2, 'must be JSON'],
    [
      ['--route', 'v:m', ...prices, '--trait', 'efforts=["huge"]'],
      2,
      'expected "none" or "minimal"',
    ],
    [
      ['--route', 'v:m', ...prices, '--trait', 'sight={"by":"tiles"}'],
      2,
      '{"by":"squares","each":number}',
    ],
    [
      ['--route', 'v:m', ...prices, '--trait', 'chat="responses"'],
      1,
      'v has none that is known to be whole',
    ],
    [['--route', 'v:m', ...prices, '--capability', 'sight=true'], 2, 'there are: streaming'],
    [['--route', 'v:m', ...prices, '--capability', 'vision=yes'], 2, 'true or false'],
    [['--route', 'v:m', ...prices, '--capability', 'voices=ann,,bob'], 2, 'a list such as a,b,c'],
  ])('refuses %p and sells nothing', async (settings, code, why) => {
    const ran = await terminal.run(...addArgs(...settings))
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(why)
    expect(await onSale('--all')).not.toContain('priced')
  })

  test('has lists of what can be chosen, and is no chat model when it is none', async () => {
    const command =
      'model add --id priced --type audio_tts --route v:m --price per_million_characters=15 ' +
      '--trait voiceIds=true --capability voices=Ann,Bob --capability formats=wav'
    const made = await terminal.json<Model>(...command.split(' '))
    expect(made['capabilities']).toEqual({
      streaming: false,
      tools: false,
      json: false,
      vision: false,
      voices: ['Ann', 'Bob'],
      formats: ['wav'],
    })
    expect(made['traits']).toEqual({ voiceIds: true })
  })

  test('costs nothing only when it is said to be free', async () => {
    const free = await terminal.json<Model>(...addArgs('--route', 'v:m', '--free'))
    expect(free).toMatchObject({ is_free: true, pricing: { input_per_million: '0' } })
    expect(await onSale()).toContain('priced')
  })

  test('refuses an id that is there, of the sandbox too', async () => {
    await add()
    expect((await terminal.run(...addArgs('--route', 'v:m', ...prices))).stderr).toContain(
      'already',
    )
    const echo = ['model', 'add', '--id', 'sandbox/echo', '--type', 'chat', '--route', 'v:m']
    expect((await terminal.run(...echo, ...prices)).stderr).toContain('already')
  })
})

describe('model set', () => {
  test('changes what is named and nothing else', async () => {
    const made = await add('--description', 'good', '--context', '8192')
    expect(await set('--name', 'Priced')).toEqual({ ...made, name: 'Priced', prices_dropped: [] })
  })

  test('adds capabilities, traits and dropped fields to those it has', async () => {
    const trait = ['--trait', 'efforts=["low","high"]', '--trait', 'drop=["seed"]']
    const made = await add('--capability', 'vision=true', ...trait, '--drop', 'stop')
    expect(made['traits']).toEqual({ efforts: ['low', 'high'], drop: ['seed', 'stop'] })
    const changed = await set(
      '--drop',
      'temperature',
      '--drop',
      'seed',
      '--capability',
      'json=false',
    )
    expect(changed['traits']).toEqual({
      efforts: ['low', 'high'],
      drop: ['seed', 'stop', 'temperature'],
    })
    expect(changed['capabilities']).toMatchObject({ vision: true, json: false, streaming: true })
  })

  test('says that a model is served as Responses alone only where a vendor has that', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', XAI_API_KEY: 'a-key-of-xai' })
    await add('--drop', 'stop')
    const refused = await terminal.run('model', 'set', 'priced', '--trait', 'chat="responses"')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('the trait chat means the Responses endpoint')
    const routes = ['--route', 'v:m', '--route', 'xai:m']
    const made = await set('--trait', 'chat="responses"', ...routes)
    expect(made['traits']).toEqual({ chat: 'responses', drop: ['stop'] })
    expect((await set('--route', 'v:m'))['traits']).toEqual(made['traits'])
  })

  test('says that Responses pass as they are only where a vendor has the endpoint', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', MISTRAL_API_KEY: 'a-key-of-mistral' })
    await add()
    await set('--route', 'mistral:m')
    const declare = ['model', 'set', 'priced', '--trait', 'responses="native"']
    const refused = await terminal.run(...declare)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(
      'the trait responses means the Responses endpoint, and mistral',
    )
    expect((await set('--trait', 'responses="native"', '--route', 'v:m'))['traits']).toEqual({
      responses: 'native',
    })
  })

  test('makes a new card of new prices, and keeps the card otherwise', async () => {
    const made = await add('--price', 'cached_input_per_million=0.3')
    expect((await set('--name', 'x')).card_version).toBe(made.card_version)
    const changed = await set('--price', 'input_per_million=2')
    expect(changed.pricing).toEqual({ ...made.pricing, input_per_million: '2' })
    expect(changed.card_version).not.toBe(made.card_version)
    const gone = await terminal.run('model', 'set', 'priced', '--price', 'output_per_million=none')
    expect(gone).toMatchObject({ code: 1 })
    expect(gone.stderr).toContain('output')
  })

  test('takes one price away, or all but those given, and says what has none', async () => {
    await add('--price', 'cached_input_per_million=0.3')
    const none = ['--price', 'cached_input_per_million=none']
    const { stdout } = await terminal.run('model', 'set', 'priced', ...none)
    expect(stdout).toMatch(/^no price of its own any more: cached_input_per_million/m)
    const tier = await set('--price', 'input_per_million_above_200k=3')
    expect(tier.pricing).toEqual({
      input_per_million: '1.5',
      input_per_million_above_200k: '3',
      output_per_million: '6',
    })
    expect((await set('--only-prices', ...prices)).pricing).toEqual({
      input_per_million: '1.5',
      output_per_million: '6',
    })
    const unknown = await terminal.run('model', 'set', 'priced', '--price', 'default')
    expect(unknown.stderr).toContain('no rule makes a price for priced')
  })

  test('takes it off and puts it on again', async () => {
    await add()
    expect((await set('--off')).status).toBe('off')
    expect(await onSale()).not.toContain('priced')
    expect(await onSale('--all')).toContain('priced')
    expect((await set('--on')).status).toBe('active')
    expect(await onSale()).toContain('priced')
    expect((await terminal.run('model', 'set', 'priced', '--on', '--off')).code).toBe(2)
  })

  test('of a model with public prices shows the routes and prices that it goes on with', async () => {
    const before = await terminal.json<Model>('model', 'show', 'sandbox/echo-priced')
    const after = await terminal.json<Model>('model', 'set', 'sandbox/echo-priced', '--name', 'x')
    expect(after).toEqual({ ...before, name: 'x', prices_dropped: [] })
    expect(after.routes).toEqual(['sandbox:echo'])
  })
})

describe('a model that is removed', () => {
  test('is no longer sold, is told as discontinued, and may be added again', async () => {
    await add()
    expect(await terminal.json<object>('model', 'remove', 'priced')).toEqual({
      object: 'model',
      id: 'priced',
      deleted: true,
    })
    expect(await onSale()).not.toContain('priced')
    expect((await terminal.json<Model>('model', 'show', 'priced')).status).toBe('discontinued')
    expect((await add()).status).toBe('active')
  })

  test('must be there', async () => {
    expect((await terminal.run('model', 'remove', 'nothing')).stderr).toContain(
      'there is no model nothing',
    )
  })
})

describe('model list', () => {
  test('is a table with prices and routes', async () => {
    await add()
    const lines = (await terminal.run('model', 'list')).stdout.split('\n')
    expect(lines[0]).toMatch(/^ID +TYPE +OWNED BY +STATUS +PRICES \(USD\) +ROUTES$/)
    expect(lines.find((line) => line.startsWith('priced '))).toMatch(
      /chat +v +active +input_per_million 1\.5 · output_per_million 6 +v:m$/,
    )
    expect(lines.find((line) => line.startsWith('sandbox/echo '))).toContain(' free ')
  })

  test('can show one family only', async () => {
    await add()
    expect(await onSale('--type', 'chat')).toContain('priced')
    expect(await onSale('--type', 'image')).toEqual(['sandbox/draw', 'sandbox/draw-priced'])
    expect(await onSale('--type', 'video')).toContain('sandbox/video')
    expect(await onSale('--type', 'video')).not.toContain('priced')
  })
})
