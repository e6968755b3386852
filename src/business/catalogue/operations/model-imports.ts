import { Type } from '@sinclair/typebox'
import { checkPattern } from '../../../gateway/identity/allowed-models'
import { importableModels, importModels } from '../import-models'
import { pricingOf } from '../../pricing/price-change-view'
import { namesListed } from '../vendor-test'
import { checkKeyHere } from '../vendor-view'
import { vendorNamed } from '../vendors'
import { orNull, said } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { modelCommands } from './model-commands'
import { ModelId, ModelImported, ModelTypeName, Pricing } from './model-views'
import { operation } from '../../operations/operation'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'

const text = Type.String()
const Vendor = Type.String({ minLength: 1, maxLength: 64 })

const Importable = Type.Object({
  /** The vendor's own name. */
  vendor_model: text,
  /** `known`: sold before, or taken from sale; `uncosted`: nobody knows what it costs. */
  state: Type.Union([Type.Literal('new'), Type.Literal('known'), Type.Literal('uncosted')]),
  /** The id that it would have; nulls where there are no public data of it. */
  id: orNull(text),
  type: orNull(ModelTypeName),
  name: orNull(text),
  cost: orNull(Pricing),
  /** What it would be sold for, by its rule. */
  pricing: orNull(Pricing),
})

/**
 * The vendor's own names of what it lists.
 * @throws AdminError vendor_not_found | vendor_key_elsewhere | vendor_trial_failed
 */
async function listedBy(parts: KeptParts, name: string): Promise<readonly string[]> {
  const catalogue = await cataloguePartsOf(parts)
  const vendor = await vendorNamed(catalogue, name)
  checkKeyHere(catalogue, vendor)
  return await namesListed(parts.service.askVendor, vendor)
}

export const modelImportOperations = [
  operation({
    name: 'model.import_preview',
    method: 'POST',
    path: '/model-imports/preview',
    role: 'owner',
    about: 'Ask a vendor for its models: which are sold, which could be, at what cost and price',
    body: { vendor: Vendor },
    result: Type.Object({ data: Type.Array(Importable) }),
    async run(parts, { body: { vendor } }) {
      const listed = await listedBy(parts, vendor)
      const models = await importableModels(await cataloguePartsOf(parts), vendor, listed)
      return {
        data: models.map(({ vendorModel, state, model, lines }) => ({
          vendor_model: vendorModel,
          state,
          id: model?.id ?? null,
          type: model?.type ?? null,
          name: model?.name ?? null,
          cost: model === null ? null : pricingOf(model.lines),
          pricing: lines === null ? null : pricingOf(lines),
        })),
      }
    },
  }),
  operation({
    name: 'model.import',
    method: 'POST',
    path: '/model-imports',
    role: 'owner',
    about: 'Put models that a vendor lists on sale, with costs of the public prices',
    body: {
      vendor: asOption(Vendor, 'name of the vendor'),
      /** None for all. */
      patterns: asOption(
        Type.Optional(Type.Array(ModelId, { maxItems: 1000 })),
        'ids or patterns of those that are wanted (default: all)',
        { kind: 'text', isRepeated: true },
      ),
    },
    maxBodyKb: 256,
    result: ModelImported,
    commands: [modelCommands.importing],
    async run(parts, { body }) {
      const patterns = (body.patterns ?? []).map((each) =>
        said('patterns', { rule: 'bad_form', form: 'model_pattern' }, () => checkPattern(each)),
      )
      const listed = await listedBy(parts, body.vendor)
      const { imported, known, uncosted } = await importModels(
        await cataloguePartsOf(parts),
        body.vendor,
        listed,
        patterns,
      )
      return {
        vendor: body.vendor,
        imported: [...imported],
        known: [...known],
        uncosted: [...uncosted],
      }
    },
  }),
] as const
