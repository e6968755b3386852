import { resolve } from 'node:path'
import type { Command } from 'commander'
import { checkMachine } from '../../admin/access-rules'
import type { PlacedDoubt, PriceCheck } from '../../admin/price-check'
import { priceCheckView } from '../../admin/price-check-view'
import { checkPricesInThread } from '../../app/price-check-thread'
import type { Proposal } from '../../pricing/proposals'
import {
  isFileSource,
  knownSourceNames,
  knownSources,
  priceSource,
} from '../../settings/price-settings'
import { registry } from '../../settings/registry'
import { settingIn } from '../../settings/settings'
import { counted } from '../kit/counted'
import { databaseOfCommand, leaf, refusing, type CommonOptions } from '../kit/leaf'
import { operator, requester } from '../kit/operator'
import { printError, printJson, printLine } from '../kit/output'
import { fixedFor } from './configured-service'
import { withService, type CommandParts } from './with-service'

interface CheckOptions extends CommonOptions {
  readonly source?: readonly string[]
}

/** `prices check`: what public data tell otherwise becomes a proposal. */
export function pricesCheckCommand(prices: Command): void {
  leaf(
    prices,
    'check',
    'compare costs with public prices; what differs is proposed',
    'prices check --source litellm --source models.dev',
  )
    .option(
      '--source <source>',
      `repeatable: ${knownSourceNames}, an https address or a file (default: the setting prices-sources)`,
      readSource,
    )
    .action(check)
}

function readSource(text: string, earlier: readonly string[] = []): readonly string[] {
  const isPath = !knownSources.has(text) && !/^[a-z]+:/i.test(text)
  const folder = text.endsWith('/') ? '/' : ''
  const source = isPath ? `${resolve(text)}${folder}` : refusing(() => priceSource(text))
  if (isFileSource(source)) checkMachine(requester(), 'price_file')
  return [...new Set([...earlier, source])]
}

async function check(options: CheckOptions): Promise<void> {
  const order = await withService(options, async (parts) => ({
    ...(await settingsIn(parts, options)),
    discovery: parts.discovery,
    sandbox: await parts.sandbox(),
  }))
  const { source: sources = order.sources } = options
  const whole = options.source === undefined
  const database = databaseOfCommand(options)
  const place = { folder: options.data, database, claim: null }
  const asked = { ...order, ...place, sources, whole, actor: operator() }
  // The thread needs the memory more.
  Bun.gc(true)
  const done = await checkPricesInThread(asked)
  if (done.sources.every(({ problem }) => problem !== null)) process.exitCode = 1
  if (options.json) return printJson({ object: 'price.check', ...priceCheckView(done) })
  print(done)
}

async function settingsIn({ storage }: CommandParts, { data }: CommonOptions) {
  const fixed = await fixedFor(storage, data)
  const stored = await storage.settings.all()
  const { pricesSources, pricesAuto } = registry
  return {
    sources: pricesSources.type.parse(settingIn('pricesSources', fixed, stored).text),
    policy: pricesAuto.type.parse(settingIn('pricesAuto', fixed, stored).text),
  }
}

function print(done: PriceCheck): void {
  for (const { name, models, problem } of done.sources)
    if (problem === null) printLine(`${name}: ${counted(models, 'model')} of this service`)
    else printError(`! ${name}: ${problem}; nothing of it counts`)
  for (const [source, doubts] of Map.groupBy(done.doubts, (doubt) => doubt.source))
    printError(`! ${source}: ${doubtText(doubts)}`)
  if (done.unbelievedEnds > 0)
    printError(`! ${done.unbelievedEnds} models vanished at once, which is not believed`)
  if (done.applied.length > 0)
    printLine(
      `${counted(done.applied.length, 'cost')} applied by prices-auto: ${named(done.applied)}`,
    )
  if (done.withdrawn > 0) printLine(`${counted(done.withdrawn, 'proposal')} of before withdrawn`)
  if (done.proposed.length === 0)
    return printLine(`${counted(done.compared, 'cost')} compared: nothing new is proposed`)
  printLine(
    `${counted(done.proposed.length, 'change')} proposed: ${named(done.proposed)}; see chapar prices list`,
  )
}

const named = (proposals: readonly Proposal[]): string => {
  const models = [...new Set(proposals.map(({ model }) => model))]
  const more = models.length > 3 ? ` and ${models.length - 3} more` : ''
  return `${models.slice(0, 3).join(', ')}${more}`
}

function doubtText(doubts: readonly PlacedDoubt[]): string {
  const [first] = doubts
  if (first === undefined) return ''
  const { vendorModel, meter, told, reason } = first
  const prices = counted(doubts.length, 'price')
  return `${prices} not believed, such as ${meter} of ${vendorModel}${told === null ? '' : `, ${told}`} (${reason}); their models stay as they are`
}
