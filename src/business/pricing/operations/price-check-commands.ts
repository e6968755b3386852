import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import {
  knownSourceNames,
  knownSources,
  priceSource,
} from '../../../gateway/settings/price-settings'
import { counted, type CommandForm } from '../../operations/command'
import type { Checked } from './price-check-fields'

type CheckView = Static<typeof Checked>

/** Help of the option by which sources are named. */
export const sourceAbout = `repeatable: ${knownSourceNames}, an https address or a file (default: the setting prices-sources)`

/** One more source; the path of a file as the whole machine knows it. @throws RangeError */
export function readPriceSource(text: string, earlier: readonly string[] = []): readonly string[] {
  const isPath = !knownSources.has(text) && !/^[a-z]+:/i.test(text)
  const folder = text.endsWith('/') ? '/' : ''
  const source = isPath ? `${resolve(text)}${folder}` : priceSource(text)
  return [...new Set([...earlier, source])]
}

function checkedLines(done: CheckView): readonly string[] {
  const { sources, applied, withdrawn, proposed, compared } = done
  return [
    ...sources
      .filter(({ problem }) => problem === null)
      .map(({ name, models }) => `${name}: ${counted(models, 'model')} of this service`),
    ...(applied.length > 0
      ? [`${counted(applied.length, 'cost')} applied by prices-auto: ${named(applied)}`]
      : []),
    ...(withdrawn > 0 ? [`${counted(withdrawn, 'proposal')} of before withdrawn`] : []),
    proposed.length === 0
      ? `${counted(compared, 'cost')} compared: nothing new is proposed`
      : `${counted(proposed.length, 'change')} proposed: ${named(proposed)}; see chapar prices list`,
  ]
}

function warnings({ sources, not_believed: doubts, vanished_not_believed: ends }: CheckView) {
  return [
    ...sources
      .filter(({ problem }) => problem !== null)
      .map(({ name, problem }) => `! ${name}: ${problem}; nothing of it counts`),
    ...[...Map.groupBy(doubts, ({ source }) => source)].map(
      ([source, own]) => `! ${source}: ${doubtText(own)}`,
    ),
    ...(ends > 0 ? [`! ${ends} models vanished at once, which is not believed`] : []),
  ]
}

function named(proposals: CheckView['proposed']): string {
  const models = [...new Set(proposals.map(({ model }) => model))]
  const more = models.length > 3 ? ` and ${models.length - 3} more` : ''
  return `${models.slice(0, 3).join(', ')}${more}`
}

function doubtText(doubts: CheckView['not_believed']): string {
  const [first] = doubts
  if (first === undefined) return ''
  const { vendor_model: model, meter, told, reason } = first
  const prices = counted(doubts.length, 'price')
  return `${prices} not believed, such as ${meter} of ${model}${told === null ? '' : `, ${told}`} (${reason}); their models stay as they are`
}

/** Command of the check of public prices. */
export const checkCommand: CommandForm<CheckView> = {
  words: 'prices check',
  about: 'compare costs with public prices; what differs is proposed',
  example: 'prices check --source litellm --source models.dev',
  object: 'price.check',
  fails: ({ sources }) => sources.every(({ problem }) => problem !== null),
  said: (done) => ({ stdout: checkedLines(done), stderr: warnings(done) }),
}
