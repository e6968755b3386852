import { Type } from '@sinclair/typebox'
import { isFileSource, priceSource } from '../../../gateway/settings/price-settings'
import { checkMachine } from '../../accounts/access-rules'
import { priceCheckView, sourceView } from '../price-check-view'
import { allOf, oneOrMore, orNull, said } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { checkCommand, readPriceSource, sourceAbout } from './price-check-commands'
import { Checked, SourceView } from './price-check-fields'

const text = Type.String()

export type { SourceProblemCode } from '../source-problems'

export const priceCheckOperations = [
  operation({
    name: 'price_check.last',
    method: 'GET',
    path: '/price-checks',
    role: 'viewer',
    about: 'When public prices were checked last, and how each source answered',
    result: Type.Object({
      last: orNull(Type.Object({ at: text, sources: Type.Array(SourceView) })),
    }),
    async run({ storage }) {
      const last = await storage.priceChecks.read()
      if (last === null) return { last: null }
      const sources = last.sources.map(sourceView)
      return { last: { at: new Date(last.at).toISOString(), sources } }
    },
  }),
  operation({
    name: 'price_check.run',
    method: 'POST',
    path: '/price-checks',
    role: 'owner',
    about: 'Compare costs with public prices; what differs is proposed',
    query: {
      source: asOption(
        Type.Optional(oneOrMore(Type.String({ minLength: 1, maxLength: 1000 }))),
        sourceAbout,
        {
          option: 'source <source>',
          read: (typed, earlier) =>
            readPriceSource(typed, earlier as readonly string[] | undefined),
        },
      ),
    },
    result: Checked,
    commands: [checkCommand],
    async run({ service, requester }, { query: { source } }) {
      const sources = source === undefined ? null : allOf(source).map(sourceOf)
      if (sources?.some(isFileSource) === true) checkMachine(requester, 'price_file')
      return priceCheckView(await service.checkPrices(requester.actor, sources))
    },
  }),
] as const

/** @throws AdminError input_invalid */
const sourceOf = (named: string): string =>
  said('source', { rule: 'bad_form', form: 'price_source' }, () => priceSource(named))
