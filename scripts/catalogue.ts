/**
 * Builds the embedded catalogue of public prices.
 *
 *     bun scripts/catalogue.ts DIR
 *
 * DIR holds two public data sets: `litellm.json` (model_prices_and_context_window.json of
 * BerriAI/litellm: prices) and `models.dev.json` (api.json of anomalyco/models.dev: capabilities,
 * limits, efforts). Prices are read as text: 2.5e-07 must not pass through a binary float.
 */
import { Decimal } from 'decimal.js'
import type { Capabilities, PriceLine, Traits } from '../src/domain/model'
import { reasoningEfforts } from '../src/domain/model'
import type { SeedModel } from '../src/catalogue/seed'

/** The day the price data was taken: the version of every card made of it. */
const snapshot = '2026-08-01'
/** Models whose vendor said they end before this day are left out. */
const today = '2026-11-20'

/**
 * Our dialect → what the two sources call the vendor, in the order in which plain ids are given.
 * Vendors that charge for more than tokens are not among them: their cards would not be complete.
 */
const owners: Readonly<Record<string, { litellm: string; modelsDev: string }>> = {
  openai: { litellm: 'openai', modelsDev: 'openai' },
  deepseek: { litellm: 'deepseek', modelsDev: 'deepseek' },
  mistral: { litellm: 'mistral', modelsDev: 'mistral' },
  xai: { litellm: 'xai', modelsDev: 'xai' },
  moonshot: { litellm: 'moonshot', modelsDev: 'moonshotai' },
  alibaba: { litellm: 'dashscope', modelsDev: 'alibaba' },
  zhipu: { litellm: 'zai', modelsDev: 'zai' },
  cohere: { litellm: 'cohere_chat', modelsDev: 'cohere' },
  groq: { litellm: 'groq', modelsDev: 'groq' },
  cerebras: { litellm: 'cerebras', modelsDev: 'cerebras' },
  together: { litellm: 'together_ai', modelsDev: 'togetherai' },
  fireworks: { litellm: 'fireworks_ai', modelsDev: 'fireworks-ai' },
  deepinfra: { litellm: 'deepinfra', modelsDev: 'deepinfra' },
  openrouter: { litellm: 'openrouter', modelsDev: 'openrouter' },
}

/** Not reached by a plain chat request, or priced by more than tokens. */
const leftOut =
  /^ft:|audio|realtime|search|transcribe|tts|image|embed|moderation|guard|container|computer-use|-pro(?:-\d{4}.*)?$|codex|deep-research/

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
const rowOf = (value: unknown): Row => (isRow(value) ? value : {})
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Every number as the text it was written in. */
async function readNumbersAsText(file: string): Promise<Row> {
  const text = await Bun.file(file).text()
  const keepText = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return rowOf(JSON.parse(text, keepText))
}

const perMillion = (perToken: string): string => new Decimal(perToken).times(1_000_000).toFixed()

const meters = [
  ['input', 'input_cost_per_token'],
  ['output', 'output_cost_per_token'],
  ['cached_input', 'cache_read_input_token_cost'],
  ['cache_write_5m', 'cache_creation_input_token_cost'],
  ['input_audio', 'input_cost_per_audio_token'],
  ['output_audio', 'output_cost_per_audio_token'],
] as const

const thresholds = [128, 200, 256, 272, 512]

/** The card of a row of the first source: base prices, and those above thresholds of input tokens. */
function linesOf(row: Row): PriceLine[] {
  return meters.flatMap(([meter, field]) => {
    const line = (name: string, when?: PriceLine['when']): PriceLine[] => {
      const price = textOf(row[name])
      if (price === null) return []
      const base: PriceLine = { meter, unit: 'million', price: perMillion(price) }
      return [when === undefined ? base : { ...base, when }]
    }
    return [
      ...line(field),
      ...thresholds.flatMap((thousands) =>
        line(`${field}_above_${thousands}k_tokens`, { inputAbove: thousands * 1000 }),
      ),
    ]
  })
}

/** Both prices there and above zero: a zero in public data is a gap more often than a gift. */
const complete = (lines: readonly PriceLine[]): boolean =>
  ['input', 'output'].every((meter) =>
    lines.some((line) => line.meter === meter && !line.when && Number(line.price) > 0),
  )

function effortsOf(facts: Row): Traits {
  const options = Array.isArray(facts['reasoning_options']) ? facts['reasoning_options'] : []
  const values: unknown = options.map(rowOf).find(({ type }) => type === 'effort')?.['values']
  const efforts = reasoningEfforts.filter((each) => Array.isArray(values) && values.includes(each))
  const known = efforts.length > 0 ? { efforts } : {}
  return facts['reasoning'] === true ? { reasoning: true, ...known } : {}
}

/** What families refuse: facts of November 2026, written into each model's own data. */
function traitsOf(owner: string, id: string, facts: Row): Traits {
  const traits = effortsOf(facts)
  if (owner !== 'openai') return traits
  const sampling = ['temperature', 'top_p', 'logprobs', 'top_logprobs']
  if (/^o\d/.test(id)) return { ...traits, drop: sampling, systemRole: 'developer' }
  if (/^gpt-5(?:-mini|-nano)?(?:-\d{4}.*)?$/.test(id)) return { ...traits, drop: sampling }
  if (/^gpt-5\.\d/.test(id) && !id.includes('chat-latest'))
    return { ...traits, samplingNeedsNoEffort: true }
  return traits
}

function capabilitiesOf(facts: Row, row: Row): Capabilities {
  const inputs: unknown = rowOf(facts['modalities'])['input']
  const takes = (kind: string) => Array.isArray(inputs) && inputs.includes(kind)
  const says = (fact: string, field: string) => facts[fact] === true || row[field] === true
  return {
    streaming: true,
    tools: says('tool_call', 'supports_function_calling'),
    json: says('structured_output', 'supports_response_schema'),
    vision: takes('image') || row['supports_vision'] === true,
    reasoning: says('reasoning', 'supports_reasoning'),
  }
}

const wholeOf = (value: unknown): number | null => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/** Two prices of one model: the same, or worth a look. */
const differs = (a: string | undefined, b: unknown): boolean =>
  a !== undefined && typeof b === 'string' && !new Decimal(a).equals(b)

async function build(folder: string): Promise<void> {
  const litellm = await readNumbersAsText(`${folder}/litellm.json`)
  const modelsDev = await readNumbersAsText(`${folder}/models.dev.json`)
  const models: SeedModel[] = []
  const ids = new Set<string>()
  const seen = new Set<string>()
  const left = { incomplete: 0, ended: 0, otherwise: 0, disagreeing: 0 }
  for (const [owner, names] of Object.entries(owners)) {
    const facts = rowOf(rowOf(modelsDev[names.modelsDev])['models'])
    for (const [name, raw] of Object.entries(litellm)) {
      const row = rowOf(raw)
      if (row['litellm_provider'] !== names.litellm || row['mode'] !== 'chat') continue
      const vendorModel = name.startsWith(`${names.litellm}/`)
        ? name.slice(names.litellm.length + 1)
        : name
      const fact = rowOf(facts[vendorModel])
      const lines = linesOf(row)
      const plainId = owner === 'openrouter' ? `openrouter/${vendorModel}` : vendorModel
      const id = ids.has(plainId) ? `${owner}/${vendorModel}` : plainId
      const twice = seen.has(`${owner} ${vendorModel}`) || ids.has(id)
      if (leftOut.test(vendorModel) || twice) left.otherwise++
      else if ((textOf(row['deprecation_date']) ?? today) < today) left.ended++
      else if (!complete(lines)) left.incomplete++
      else {
        if (differs(lines[0]?.price, rowOf(fact['cost'])['input'])) left.disagreeing++
        ids.add(id)
        seen.add(`${owner} ${vendorModel}`)
        models.push({
          id,
          owner,
          vendorModel,
          name: textOf(fact['name']) ?? vendorModel,
          created: Date.parse(textOf(fact['release_date']) ?? '') || 0,
          contextLength:
            wholeOf(row['max_input_tokens']) ?? wholeOf(rowOf(fact['limit'])['context']),
          maxOutputTokens:
            wholeOf(row['max_output_tokens']) ?? wholeOf(rowOf(fact['limit'])['output']),
          capabilities: capabilitiesOf(fact, row),
          traits: traitsOf(owner, vendorModel, fact),
          lines,
        })
      }
    }
  }
  const body = models.map((model) => `    ${JSON.stringify(model)}`).join(',\n')
  const out = `${import.meta.dir}/../src/catalogue/seed.json`
  await Bun.write(out, `{\n  "version": "seed-${snapshot}",\n  "models": [\n${body}\n  ]\n}\n`)
  console.log(`${models.length} models of ${Object.keys(owners).length} vendors written`)
  console.log(
    'left out:',
    left.incomplete,
    'without both prices,',
    left.ended,
    'ended,',
    left.otherwise,
    'not plain chat or twice',
  )
  console.log(left.disagreeing, 'input prices differ between the two sources (the first was taken)')
}

const folder = process.argv[2]
if (folder === undefined) {
  console.error(
    'usage: bun scripts/catalogue.ts DIR   (a folder with litellm.json and models.dev.json)',
  )
  process.exit(2)
}
await build(folder)
