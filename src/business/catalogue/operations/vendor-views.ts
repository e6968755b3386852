import { Type, type Static } from '@sinclair/typebox'
import type { VendorConfig } from '../../../domain/model'
import { vendorFields } from '../../../domain/fields/vendor-fields'
import { pricingView } from '../../../gateway/metering/pricing-view'
import { marginsOf } from '../../pricing/margins'
import { pricedCatalogue } from '../../pricing/priced-catalogue'
import { catalogueOf } from '../../data/service-parts'
import { trialProblems } from '../vendor-problem'
import type { VendorRoute } from '../vendor-routes'
import type { VendorTrial } from '../vendor-test'
import { vendorView } from '../vendor-view'
import { vendorNamed, type VendorOutcome } from '../vendors'
import { textForms } from '../../operations/refusals/text-forms'
import { orNull } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'
import { Pricing } from './model-views'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'

const text = Type.String()
const Balance = Type.Object({ amount: text, currency: text })

/** A credential of a vendor, without its key. */
export const CredentialView = Type.Object({
  name: text,
  /** Its last characters; null where it is called without a key. */
  api_key: orNull(text),
  active: Type.Boolean(),
  state: text,
  cooling_until: orNull(text),
  balance: orNull(Balance),
  checked: orNull(text),
})

const { kind, dialect, base_url, active, ...fields } = shownFields(vendorFields)

/** A vendor without its keys. */
export const VendorView = Type.Object({
  name: text,
  kind,
  dialect,
  base_url,
  api_key: orNull(text),
  ...fields,
  /** Markup of its own pricing rule; null without one. */
  margin_percent: orNull(text),
  active,
  source: text,
  /** `ok`, `off`, `down`, `refuses_key` or `out_of_money`. */
  state: text,
  trouble_since: orNull(text),
  cooling_until: orNull(text),
  balance: orNull(Balance),
  last_failure: orNull(Type.Object({ code: orNull(text), at: orNull(text) })),
  /** The last calls to it within an hour. */
  recent_calls: orNull(
    Type.Object({
      calls: Type.Integer(),
      failed: Type.Integer(),
      failed_percent: Type.Number(),
      p50_ms: orNull(Type.Number()),
      p95_ms: orNull(Type.Number()),
      since: text,
      until: text,
      last_failures: Type.Array(
        Type.Object({ code: text, status: orNull(Type.Integer()), at: text }),
      ),
    }),
  ),
  credentials: Type.Array(CredentialView),
})

/** A vendor after a change of one of its credentials, which has this name. */
export const SignedVendor = Type.Composite([VendorView, Type.Object({ credential: text })])

export const TrialView = Type.Object({
  /** Of the credential; null where it was tried before it was saved. */
  name: orNull(text),
  ok: Type.Boolean(),
  status: orNull(Type.Integer()),
  models: Type.Integer(),
  problem: orNull(
    Type.Object({
      code: Type.Union(trialProblems.map((code) => Type.Literal(code))),
      status: orNull(Type.Integer()),
      address: text,
    }),
  ),
  balance: orNull(Balance),
  /** The account there has no money left. */
  is_empty: Type.Boolean(),
  /** Addresses that were asked, in order, and what each answered; null where one did not. */
  asked: Type.Array(Type.Object({ url: text, status: orNull(Type.Integer()) })),
})

/** A route to a vendor. */
export const VendorRouteView = Type.Object({
  model: text,
  vendor_model: text,
  /** Lower is tried first. */
  priority: Type.Integer(),
  /** Share among routes of the same priority. */
  weight: Type.Integer(),
  on_sale: Type.Boolean(),
  /** Without this vendor the model is not on sale. */
  only: Type.Boolean(),
})

export const vendorRouteView = ({
  model,
  vendorModel,
  priority,
  weight,
  isOnSale,
  isOnly,
}: VendorRoute): Static<typeof VendorRouteView> => ({
  model,
  vendor_model: vendorModel,
  priority,
  weight,
  on_sale: isOnSale,
  only: isOnly,
})

/** Outcome of a change of a vendor. */
export const ChangedVendor = Type.Object({
  vendor: VendorView,
  /** Models that came on sale. */
  on_sale: Type.Array(text),
  /** Models whose prices wait for a decision. */
  proposed: Type.Array(text),
  /** Models that came on sale, with what the vendor bills and what customers pay; null where unknown. */
  new_models: Type.Array(Type.Object({ id: text, cost: orNull(Pricing), price: orNull(Pricing) })),
  trial: orNull(TrialView),
})

export const vendorViewIn = async (
  parts: KeptParts,
  vendor: VendorConfig,
): Promise<Static<typeof VendorView>> => await vendorView(await cataloguePartsOf(parts), vendor)

export const namedVendorView = async (parts: KeptParts, name: string) =>
  await vendorViewIn(parts, await vendorNamed(await cataloguePartsOf(parts), name))

export const trialView = (
  { isEmpty, asked, ...trial }: VendorTrial,
  name: string | null,
): Static<typeof TrialView> => ({ ...trial, name, is_empty: isEmpty, asked: [...asked] })

export const changedVendorView = async (
  parts: KeptParts,
  { vendor, onSale, proposed }: VendorOutcome,
  trial: VendorTrial | null,
): Promise<Static<typeof ChangedVendor>> => ({
  vendor: await vendorViewIn(parts, vendor),
  on_sale: [...onSale],
  proposed: [...proposed],
  new_models: onSale.length === 0 ? [] : await newModels(parts, vendor, new Set(onSale)),
  trial: trial === null ? null : trialView(trial, null),
})

async function newModels(parts: KeptParts, { name }: VendorConfig, sold: ReadonlySet<string>) {
  const { entries, state } = await pricedCatalogue(await catalogueOf(await cataloguePartsOf(parts)))
  return entries
    .filter(({ id }) => sold.has(id))
    .map((entry) => {
      const cost =
        marginsOf(state, entry).routes.find(({ vendor }) => vendor === name)?.cost ?? null
      return {
        id: entry.id,
        cost: cost === null ? null : pricingView(cost),
        price: entry.card === null ? null : pricingView(entry.card),
      }
    })
}

/** A vendor that was removed. */
export const RemovedVendor = Type.Object({
  name: text,
  deleted: Type.Boolean(),
  /** Markup of its own pricing rule, which stays; null without one. */
  margin_percent: orNull(text),
})

/** Result of free calls to a vendor, with each of its credentials. */
export const TestedVendor = Type.Object({
  name: text,
  ok: Type.Boolean(),
  data: Type.Array(TrialView),
})

export const VendorName = Type.String({ minLength: 1, maxLength: 64 })
/** It is sent in a header. */
export const VendorSecret = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: textForms.vendor_key,
})
