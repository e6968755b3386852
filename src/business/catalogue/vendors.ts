import { isDeepStrictEqual } from 'node:util'
import { only, type Valued } from '../../domain/fields/field'
import type { VendorConfig } from '../../domain/model'
import { vendorFields } from '../../domain/fields/vendor-fields'
import { causeOf } from '../pricing/causes'
import { costKey, typedSource, type KnownCost } from '../../gateway/catalogue/cards'
import type { Settled } from '../pricing/settle'
import { sandboxVendor } from '../../gateway/vendors/sandbox/models'
import { AdminError } from '../operations/admin-error'
import { settlePrices } from '../pricing/priced-catalogue'
import { setPricingRule } from '../pricing/rule-changes'
import { setSandbox } from './sandbox'
import {
  catalogueOf,
  foundVendorsOf,
  isOverlay,
  vendorsOf,
  type ServiceParts,
} from '../data/service-parts'

/** Outcome of a change of vendors: models that came on sale, and prices that wait for a decision. */
export interface VendorOutcome {
  readonly vendor: VendorConfig
  readonly onSale: readonly string[]
  readonly proposed: readonly string[]
}

/** Change of a vendor; what is not named stays. */
export type VendorChange = Partial<
  Valued<typeof vendorFields> & Pick<VendorConfig, 'credential'>
> & {
  /** Its name from now on. */
  readonly name?: string
  readonly marginPercent?: string
}

const nameForm = /^[a-z0-9][a-z0-9_-]*$/i

/** Checks the name of a vendor. @throws AdminError invalid_vendor_name */
export function checkVendorName(vendor: string): void {
  if (!nameForm.test(vendor) || vendor === 'sandbox')
    throw new AdminError('invalid_vendor_name', { vendor })
}

/** Checks that a vendor can be added by this name. @throws AdminError invalid_vendor_name | vendor_exists */
export async function checkNewVendor(parts: ServiceParts, vendor: string): Promise<void> {
  checkVendorName(vendor)
  if ((await vendorsOf(parts)).some(({ name }) => name === vendor))
    throw new AdminError('vendor_exists', { vendor })
}

/** The vendor of this name. @throws AdminError vendor_not_found */
export async function vendorNamed(parts: ServiceParts, name: string): Promise<VendorConfig> {
  const found = (await vendorsOf(parts)).find((each) => each.name === name)
  if (found === undefined) throw new AdminError('vendor_not_found', { vendor: name })
  return found
}

/** The markup of the rule that is this vendor's own; null where it has none. */
export const marginOf = async (
  { storage }: Pick<ServiceParts, 'storage'>,
  vendor: string,
): Promise<string | null> =>
  (await storage.prices.state()).rules.find(
    ({ kind, name }) => kind === 'vendor' && name === vendor,
  )?.markupPercent ?? null

/**
 * A new vendor. No price on sale moves: its models that nobody sold before go on sale, and what it
 * would change of the others is proposed.
 * @param marginPercent null leaves its rule as it is
 * @throws AdminError invalid_vendor_name | vendor_exists
 */
export async function addVendor(
  parts: ServiceParts,
  vendor: VendorConfig,
  { marginPercent, by }: { readonly marginPercent: string | null; readonly by: string },
): Promise<VendorOutcome> {
  await checkNewVendor(parts, vendor.name)
  if (marginPercent !== null) await setMargin(parts, vendor.name, marginPercent, by)
  await parts.storage.catalogue.saveVendor(vendor)
  return outcomeOf(parts, vendor.name, causeOf('vendor_added', { vendor: vendor.name }))
}

/**
 * Changes what is named and nothing else. A vendor that was found keeps the key of its environment,
 * unless it is given one.
 * @returns what it is now
 * @throws AdminError vendor_not_found | vendor_exists | vendor_found | invalid_vendor_name
 * @throws AdminError sandbox_only_switched
 */
export async function setVendor(
  parts: ServiceParts,
  name: string,
  change: VendorChange,
  by: string,
): Promise<VendorOutcome> {
  const vendor = await vendorNamed(parts, name)
  if (name === sandboxVendor.name) return switchSandbox(parts, vendor, change)
  const { name: newName = name, marginPercent, ...rest } = change
  if (newName !== name) await checkNewName(parts, vendor, newName)
  const changed = { ...vendor, ...rest, name: newName }
  await save(parts, name, changed)
  if (marginPercent !== undefined) await setMargin(parts, newName, marginPercent, by)
  return outcomeOf(parts, newName, causeOf('vendor_changed', { vendor: newName }))
}

/** The sandbox is no row: what it sells is a setting. */
async function switchSandbox(
  parts: ServiceParts,
  vendor: VendorConfig,
  { active = vendor.active, ...rest }: VendorChange,
): Promise<VendorOutcome> {
  const others = Object.entries({ ...vendor, ...rest, active: vendor.active })
  if (others.some(([member, value]) => value !== vendor[member as keyof VendorConfig]))
    throw new AdminError('sandbox_only_switched', {})
  if (active !== vendor.active) await setSandbox(parts.storage, active)
  return outcomeOf(parts, vendor.name, causeOf(active ? 'sandbox_on' : 'sandbox_off'))
}

async function checkNewName(
  parts: ServiceParts,
  { name }: VendorConfig,
  newName: string,
): Promise<void> {
  checkVendorName(newName)
  if ((await foundVendorsOf(parts)).some((each) => each.name === name))
    throw new AdminError('vendor_found', { vendor: name })
  await checkNewVendor(parts, newName)
}

async function save(parts: ServiceParts, earlier: string, vendor: VendorConfig): Promise<void> {
  const { catalogue, prices } = parts.storage
  if (vendor.name !== earlier) {
    await prices.renameVendor(earlier, vendor.name)
    await catalogue.saveVendor(vendor)
    return catalogue.removeVendor(earlier)
  }
  const found = (await foundVendorsOf(parts)).find(({ name }) => name === earlier)
  if (found === undefined) return catalogue.saveVendor(vendor)
  const overlay = vendor.credential === found.credential ? { ...vendor, credential: null } : vendor
  // Nothing is kept of what is back as it was found.
  if (isOverlay(overlay, found) && isSame(overlay, found)) await catalogue.removeVendor(earlier)
  else await catalogue.saveVendor(overlay)
}

const isSame = (a: VendorConfig, b: VendorConfig): boolean =>
  isDeepStrictEqual(only(vendorFields, a), only(vendorFields, b)) &&
  a.credentialOff === b.credentialOff &&
  a.moreCredentials === b.moreCredentials

/** Saves a vendor of this name as it is to be; nothing of its models or prices changes by it. */
export const saveVendorChange = (
  parts: ServiceParts,
  name: string,
  vendor: VendorConfig,
): Promise<void> => save(parts, name, vendor)

const setMargin = (parts: ServiceParts, name: string, markupPercent: string, by: string) =>
  setPricingRule(parts, { kind: 'vendor', name, markupPercent }, by)

/**
 * Takes a vendor away; its models lose that route, and keep their prices. Its pricing rule stays.
 * @throws AdminError vendor_not_found | vendor_found
 */
export async function removeVendor(parts: ServiceParts, name: string): Promise<void> {
  const { catalogue } = parts.storage
  if (!(await catalogue.vendors()).some((each) => each.name === name)) {
    await vendorNamed(parts, name)
    throw new AdminError('vendor_found', { vendor: name })
  }
  await catalogue.removeVendor(name)
  await settlePrices(await catalogueOf(parts), causeOf('vendor_removed', { vendor: name }))
}

async function outcomeOf(parts: ServiceParts, name: string, cause: string): Promise<VendorOutcome> {
  const settled = await settlePrices(await catalogueOf(parts), cause)
  return { vendor: await vendorNamed(parts, name), ...movedBy(settled) }
}

const movedBy = ({ sales, revived, proposed }: Settled) => ({
  onSale: [...sales.map(({ model }) => model), ...revived.map(({ model }) => model)],
  proposed: proposed.map(({ model }) => model),
})

/**
 * Sets the cost card of a vendor's model, as the operator knows it: no public price replaces it.
 * No price on sale moves; what would is proposed.
 * @throws AdminError vendor_not_found
 */
export async function setVendorCost(
  parts: ServiceParts,
  { vendor, vendorModel, lines }: Omit<KnownCost, 'source'>,
  by: string,
): Promise<Pick<VendorOutcome, 'onSale' | 'proposed'>> {
  await vendorNamed(parts, vendor)
  const cost = { vendor, vendorModel, lines, source: `${typedSource}${by}` }
  await parts.storage.prices.change(({ pendingCosts }) => {
    // What is proposed was made of the cost before.
    const stale = pendingCosts.get(costKey(cost))
    return {
      costs: [cost],
      decided:
        stale === undefined ? [] : [{ id: stale.id, status: 'withdrawn', by: null } as const],
    }
  })
  return movedBy(
    await settlePrices(
      await catalogueOf(parts),
      causeOf('cost_typed', { place: `${vendor}:${vendorModel}` }),
    ),
  )
}
