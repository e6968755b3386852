/**
 * Builds the embedded catalogue of public prices, src/gateway/catalogue/seed.jsonl.
 *
 *     bun scripts/catalogue.ts DIR
 *
 * DIR holds three public data sets: `litellm.json` (model_prices_and_context_window.json of
 * BerriAI/litellm), `models.dev.json` (api.json of anomalyco/models.dev) and `portkey/` (pricing/ of
 * Portkey-AI/models). The first gives the prices; the second names, limits, capabilities and what the
 * first lacks; the third only has a voice where the first two differ.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from 'decimal.js'
import type { SeedModel } from '../src/gateway/catalogue/seed'
import type { ModelType, PriceLine } from '../src/domain/model'
import type { Ms } from '../src/domain/clock'
import { isComplete } from '../src/gateway/metering/price-card'
import { capabilitiesOf } from './catalogue/capabilities'
import { hearingTwins } from './catalogue/ears'
import { exclusions, owners, type Owner } from './catalogue/owners'
import { modelsDevModels } from '../src/business/pricing/sources/models-dev'
import { portkeyRow, voiceFamilies } from '../src/business/pricing/sources/portkey'
import {
  parseKeepingNumbers,
  rowOf,
  stringOf,
  wholeOf,
  stringsOf,
  type Row,
} from '../src/business/pricing/sources/rows'
import { basePrice } from '../src/business/pricing/sources/told-price'
import {
  litellmLines,
  modelsDevLines,
  portkeyLines,
  toolLines,
  videoLines,
} from './catalogue/price-lines'
import { musicLines, spokenLines, typeHeard } from './catalogue/audio'
import { sightOf } from './catalogue/sight'
import { pictureTraits, traitsOf } from './catalogue/traits'
import { realtimeCapabilities, realtimeLines, speaks } from './catalogue/realtime'
import { spokenTraits } from './catalogue/voices'

/** The day the price data was taken: the version of every card made of it. */
const snapshot = '2026-08-01'
/** Models whose vendor said they end before this day are left out. */
const today = '2026-11-20'

/** The first source's names of our types. */
const types: Readonly<Record<string, ModelType>> = {
  chat: 'chat',
  responses: 'chat',
  embedding: 'embedding',
  image_generation: 'image',
  audio_transcription: 'audio_stt',
  audio_speech: 'audio_tts',
  video_generation: 'video',
  moderation: 'moderation',
  realtime: 'chat',
}

/** Dollars per million tokens above which a price is an error of the source. */
const believable: Readonly<Partial<Record<ModelType, number>>> = { chat: 1000, embedding: 10 }

/** A model as the sources tell it, before it is judged. */
interface Candidate {
  readonly owner: Owner
  readonly vendorModel: string
  readonly type: ModelType
  /** Empty where only the second source knows the model. */
  readonly row: Row
  /** Empty where only the first source knows it. */
  readonly fact: Row
  readonly other: Row
}

/** Why models were left out, and whose prices differ, for the summary. */
interface Findings {
  readonly left: Map<string, string[]>
  readonly disagreements: string[]
}

const note = (findings: Findings, why: string, model: string): void => {
  findings.left.set(why, [...(findings.left.get(why) ?? []), model])
}

async function build(folder: string): Promise<void> {
  const read = async (file: string) =>
    parseKeepingNumbers(await Bun.file(join(folder, file)).text())
  const litellm = await read('litellm.json')
  const modelsDev = await read('models.dev.json')
  const findings: Findings = { left: new Map(), disagreements: [] }
  const models: SeedModel[] = []
  for (const owner of owners) {
    const file = `portkey/${owner.portkey}.json`
    const portkey = existsSync(join(folder, file)) ? await read(file) : {}
    const facts = modelsDevModels(modelsDev, owner.modelsDev)
    for (const candidate of candidatesOf(owner, litellm, facts, portkey)) {
      const model = judged(candidate, findings)
      if (model !== null) models.push(model)
    }
  }
  // Beside the models that they are, since those of one owner stand together.
  const all = models.flatMap((model) => [model, ...hearingTwins([model])])
  await write(named(all))
  report(all, findings)
}

function candidatesOf(owner: Owner, litellm: Row, facts: Row, portkey: Row): readonly Candidate[] {
  const found = new Map<string, Candidate>()
  for (const [name, raw] of Object.entries(litellm)) {
    const row = rowOf(raw)
    const vendor = stringOf(row['litellm_provider']) ?? ''
    const heard = typeHeard(owner.name, name.split('/').at(-1) ?? name)
    const type = heard ?? types[stringOf(row['mode']) ?? '']
    if (!owner.litellm.includes(vendor) || type === undefined) continue
    const vendorModel = name.startsWith(`${vendor}/`) ? name.slice(vendor.length + 1) : name
    if (/^\d+-x-\d+\/|^\w+\/\d+-x-\d+\//.test(vendorModel) || found.has(vendorModel)) continue
    const other = portkeyRow(portkey, vendorModel)
    found.set(vendorModel, {
      owner,
      vendorModel,
      type,
      row,
      fact: rowOf(facts[vendorModel]),
      other,
    })
  }
  for (const [vendorModel, raw] of Object.entries(facts)) {
    const fact = rowOf(raw)
    if (found.has(vendorModel) || !isTextModel(fact)) continue
    const other = rowOf(portkey[vendorModel])
    found.set(vendorModel, { owner, vendorModel, type: 'chat', row: {}, fact, other })
  }
  for (const [vendorModel, other] of voiceFamilies(owner.name, portkey))
    found.set(vendorModel, { owner, vendorModel, type: 'audio_tts', row: {}, fact: {}, other })
  // A dated snapshot is the model it is a snapshot of, but for its price.
  return [...found.values()].map((each) => {
    const base = each.vendorModel.replace(/-(?:\d{4}-\d\d-\d\d|20\d{6}|latest)$/, '')
    return each.fact['id'] === undefined
      ? { ...each, fact: { ...rowOf(facts[base]), cost: null } }
      : each
  })
}

const isTextModel = (fact: Row): boolean => {
  const { input, output } = rowOf(fact['modalities'])
  return stringsOf(input).includes('text') && stringsOf(output).join() === 'text'
}

/** The model for the catalogue; null, and a note why, when it is not for sale. */
function judged(candidate: Candidate, findings: Findings): SeedModel | null {
  const { owner, vendorModel, type, row, fact, other } = candidate
  const lines = linesOf(candidate, findings)
  const isFree = type === 'moderation'
  const why = whyNot(candidate, lines, isFree)
  if (why !== null) {
    note(findings, why, `${owner.name} ${vendorModel}`)
    return null
  }
  compare(candidate, lines, portkeyLines(other), findings)
  const capabilities = speaks(row)
    ? realtimeCapabilities(row, lines)
    : capabilitiesOf(vendorModel, { type, fact, row, lines })
  const reasons = capabilities.reasoning === true
  const limit = rowOf(fact['limit'])
  const counted = type === 'chat' || type === 'embedding'
  return {
    owner: owner.name,
    id: owner.name === 'openrouter' ? `openrouter/${vendorModel}` : vendorModel,
    type,
    vendorModel,
    name: nameOf(vendorModel, fact),
    created: createdOf(vendorModel, fact),
    contextLength: counted ? (wholeOf(limit['context']) ?? wholeOf(row['max_input_tokens'])) : null,
    maxOutputTokens:
      type === 'chat' ? (wholeOf(limit['output']) ?? wholeOf(row['max_output_tokens'])) : null,
    capabilities,
    traits: speaks(row)
      ? { realtime: true }
      : type === 'chat'
        ? {
            ...traitsOf(owner.name, vendorModel, fact, reasons),
            ...(capabilities.vision === true ? sightOf(vendorModel) : {}),
          }
        : type === 'audio_tts'
          ? spokenTraits(owner.name)
          : type === 'image'
            ? pictureTraits(owner.name)
            : {},
    isFree,
    lines: [...lines, ...toolLines({ owner: owner.name, vendorModel, type, row, reasons })],
  }
}

/** The first source's card; the second's where the first has none, or the third sides with it. */
function linesOf({ type, row, fact, other, owner, vendorModel }: Candidate, findings: Findings) {
  if (type === 'music') return musicLines(vendorModel)
  if (speaks(row)) return realtimeLines(row, other)
  const spoken = type === 'audio_tts' ? spokenLines(fact, other) : []
  if (spoken.length > 0) return spoken
  const first = litellmLines(row, type)
  if (type === 'video') return videoLines(first, other)
  const second = type === 'chat' ? modelsDevLines(fact) : []
  if (basePrice(second, 'input') === undefined || basePrice(second, 'output') === undefined)
    return first
  if (first.length === 0) return second
  const third = portkeyLines(other)
  // A `-latest` name moves on, and which source saw it last is unknown: the dearer one sells nothing
  // below its cost.
  const outvoted = vendorModel.endsWith('-latest')
    ? costs(second) > costs(first)
    : !sameBase(first, second) && sameBase(second, third)
  if (outvoted)
    findings.disagreements.push(
      `${owner.name} ${vendorModel}: ${told(first)} outvoted, ${told(second)} taken`,
    )
  return outvoted ? second : first
}

function whyNot(candidate: Candidate, lines: readonly PriceLine[], isFree: boolean): string | null {
  const { owner, vendorModel, type, row, fact } = candidate
  const excluded = exclusions.find(
    (each) =>
      each.ids.test(vendorModel) &&
      (each.of ?? owner.name) === owner.name &&
      (each.type ?? type) === type,
  )
  if (excluded !== undefined) return excluded.why
  if ((stringOf(row['deprecation_date']) ?? today) < today) return 'ended'
  if (fact['status'] === 'deprecated') return 'ended'
  if (owner.onlyListed && fact['id'] !== vendorModel) return 'no longer listed by its vendor'
  const output = basePrice(lines, 'output')
  const thinking = stringOf(row['output_cost_per_reasoning_token'])
  const dear =
    thinking === null
      ? stringOf(rowOf(fact['cost'])['reasoning'])
      : new Decimal(thinking).times(1e6).toFixed()
  if (type === 'chat' && dear !== null && output !== undefined && !new Decimal(dear).equals(output))
    return 'thinking has another price'
  const card = { version: '', validFrom: 0 as Ms, lines }
  if (!isComplete(card, speaks(row) ? 'realtime' : type, isFree)) return 'no complete prices'
  const highest = believable[type]
  if (highest !== undefined && lines.some(({ price }) => new Decimal(price).greaterThan(highest)))
    return 'price not believable'
  return null
}

const sameBase = (a: readonly PriceLine[], b: readonly PriceLine[]): boolean =>
  (['input', 'output'] as const).every((meter) => {
    const [one, two] = [basePrice(a, meter), basePrice(b, meter)]
    return one !== undefined && two !== undefined && new Decimal(one).equals(two)
  })

const costs = (lines: readonly PriceLine[]): number => Number(basePrice(lines, 'input') ?? 0)

const told = (lines: readonly PriceLine[]): string =>
  `${basePrice(lines, 'input') ?? '?'}/${basePrice(lines, 'output') ?? '?'}`

/** Notes where a source tells another price than the one taken. */
function compare(
  { owner, vendorModel, type, fact }: Candidate,
  taken: readonly PriceLine[],
  third: readonly PriceLine[],
  findings: Findings,
): void {
  if (type !== 'chat') return
  const differs = (other: readonly PriceLine[]) =>
    basePrice(other, 'input') !== undefined &&
    basePrice(other, 'output') !== undefined &&
    !sameBase(taken, other)
  const second = modelsDevLines(fact)
  const voices = [
    ...(differs(second) ? [`models.dev ${told(second)}`] : []),
    ...(differs(third) ? [`portkey ${told(third)}`] : []),
  ]
  if (voices.length > 0)
    findings.disagreements.push(
      `${owner.name} ${vendorModel}: ${told(taken)} taken, ${voices.join(', ')}`,
    )
}

/** A snapshot is named after its model, and its date. */
function nameOf(vendorModel: string, fact: Row): string {
  const name = stringOf(fact['name'])
  if (name === null) return vendorModel
  const date = /-(\d{4}-\d\d-\d\d)$/.exec(vendorModel)?.[1]
  return fact['id'] === vendorModel || date === undefined ? name : `${name} (${date})`
}

function createdOf(vendorModel: string, fact: Row): number {
  const date = /-(\d{4}-\d\d-\d\d)$/.exec(vendorModel)?.[1] ?? stringOf(fact['release_date'])
  return Date.parse(date ?? '') || 0
}

/**
 * Ids of their own for all: the first in the order of owners keeps the plain one. An id that would
 * also be read as another vendor's `vendor/model` gets its owner in front as well.
 */
function named(models: readonly SeedModel[]): readonly SeedModel[] {
  const served = new Set(models.map(({ owner, vendorModel }) => `${owner}/${vendorModel}`))
  const taken = new Set<string>()
  return models.map((model) => {
    const isTaken = taken.has(model.id.toLowerCase()) || served.has(model.id)
    const id =
      isTaken && !model.id.startsWith(`${model.owner}/`) ? `${model.owner}/${model.id}` : model.id
    taken.add(id.toLowerCase())
    return { ...model, id }
  })
}

async function write(models: readonly SeedModel[]): Promise<void> {
  const lines = [{ version: `seed-${snapshot}` }, ...models].map((each) => JSON.stringify(each))
  await Bun.write(
    join(import.meta.dir, '../src/gateway/catalogue/seed.jsonl'),
    `${lines.join('\n')}\n`,
  )
}

function report(models: readonly SeedModel[], { left, disagreements }: Findings): void {
  const count = (key: 'owner' | 'type') =>
    [...Map.groupBy(models, (model) => model[key])].map(([name, { length }]) => `${name} ${length}`)
  console.log(`kept ${models.length}: ${count('type').join(', ')}`)
  console.log(`  ${count('owner').join(', ')}`)
  for (const [why, which] of left)
    console.log(
      `left out, ${why}: ${which.length} (${which.slice(0, 6).join(', ')}${which.length > 6 ? ' …' : ''})`,
    )
  console.log(`prices that differ: ${disagreements.length}`)
  for (const each of disagreements) console.log(`  ${each}`)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error(
    'usage: bun scripts/catalogue.ts DIR   (litellm.json, models.dev.json, portkey/*.json)',
  )
  process.exit(2)
}
await build(folder)
