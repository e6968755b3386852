import { defaultCredential, type VendorConfig, type VendorCredential } from '../../domain/model'
import { sandboxVendor } from '../../gateway/vendors/sandbox/models'
import { AdminError } from '../operations/admin-error'
import { foundVendorsOf, type ServiceParts } from '../data/service-parts'
import { saveVendorChange, vendorNamed } from './vendors'

/** One credential of a vendor, as an operator sees it. */
export interface ListedCredential {
  readonly name: string
  /** Null where it is where the gateway runs, and not known here. */
  readonly secret: string | null
  readonly active: boolean
}

const nameForm = /^[a-z0-9][a-z0-9_-]{0,63}$/i

/** The default one first. */
export async function credentialsIn(
  parts: Pick<ServiceParts, 'discovery' | 'sandbox'>,
  vendor: VendorConfig,
): Promise<readonly ListedCredential[]> {
  const { credential, credentialOff, moreCredentials = [] } = vendor
  const own: ListedCredential = {
    name: defaultCredential,
    secret: credential,
    active: credentialOff !== true,
  }
  return credential === null && !(await isElsewhere(parts, vendor))
    ? moreCredentials
    : [own, ...moreCredentials]
}

/** A vendor of the gateway's environment has its key there, known here or not. */
const isElsewhere = async (
  parts: Pick<ServiceParts, 'discovery' | 'sandbox'>,
  { name, source }: VendorConfig,
): Promise<boolean> =>
  source === 'environment' && (await foundVendorsOf(parts)).some((found) => found.name === name)

/**
 * A further credential: calls choose among those that serve.
 * @param name null for the next free one of `key-2`, `key-3` …
 * @returns its name
 * @throws AdminError vendor_not_found | sandbox_only_switched | invalid_credential_name
 * @throws AdminError credential_exists
 */
export async function addCredential(
  parts: ServiceParts,
  vendorName: string,
  { name, secret }: { readonly name: string | null; readonly secret: string },
): Promise<string> {
  const vendor = await ownVendor(parts, vendorName)
  const there = await credentialsIn(parts, vendor)
  const added = name ?? freeName(there)
  if (!nameForm.test(added)) throw new AdminError('invalid_credential_name', { name: added })
  if (there.some((each) => each.name === added))
    throw new AdminError('credential_exists', { vendor: vendorName, name: added })
  if (there.some((each) => each.secret === secret))
    throw new AdminError('credential_known', { vendor: vendorName })
  // A vendor that was called without a key gets its first one.
  if (there.length === 0 && (name === null || name === defaultCredential)) {
    await saveVendorChange(parts, vendorName, { ...vendor, credential: secret })
    return defaultCredential
  }
  const moreCredentials = [...(vendor.moreCredentials ?? []), { name: added, secret, active: true }]
  await saveVendorChange(parts, vendorName, { ...vendor, moreCredentials })
  return added
}

/**
 * Switches a credential off or on. What it ordered is still looked after.
 * @throws AdminError vendor_not_found | sandbox_only_switched | credential_not_found | last_credential
 */
export async function switchCredential(
  parts: ServiceParts,
  vendorName: string,
  name: string,
  active: boolean,
): Promise<void> {
  const vendor = await ownVendor(parts, vendorName)
  await checkThere(parts, vendor, name)
  if (!active) await checkNotLast(parts, vendor, name)
  if (name === defaultCredential) {
    const { credentialOff: _, ...rest } = vendor
    await saveVendorChange(parts, vendorName, active ? rest : { ...rest, credentialOff: true })
  } else
    await saveVendorChange(
      parts,
      vendorName,
      withMore(vendor, (each) => (each.name === name ? { ...each, active } : each)),
    )
}

/**
 * Another key in the place of the one that a credential has.
 * @throws AdminError vendor_not_found | sandbox_only_switched | credential_not_found
 * @throws AdminError credential_known where another credential has it
 */
export async function replaceCredential(
  parts: ServiceParts,
  vendorName: string,
  name: string,
  secret: string,
): Promise<void> {
  const vendor = await ownVendor(parts, vendorName)
  await checkThere(parts, vendor, name)
  const others = (await credentialsIn(parts, vendor)).filter((each) => each.name !== name)
  if (others.some((each) => each.secret === secret))
    throw new AdminError('credential_known', { vendor: vendorName })
  await saveVendorChange(
    parts,
    vendorName,
    name === defaultCredential
      ? { ...vendor, credential: secret }
      : withMore(vendor, (each) => (each.name === name ? { ...each, secret } : each)),
  )
}

/**
 * Forgets a credential.
 * @throws AdminError vendor_not_found | sandbox_only_switched | credential_not_found | last_credential
 * @throws AdminError vendor_found where it is in the environment of the service
 */
export async function removeCredential(
  parts: ServiceParts,
  vendorName: string,
  name: string,
): Promise<void> {
  const vendor = await ownVendor(parts, vendorName)
  await checkThere(parts, vendor, name)
  await checkNotLast(parts, vendor, name)
  if (name !== defaultCredential)
    return saveVendorChange(
      parts,
      vendorName,
      withMore(vendor, (each) => (each.name === name ? null : each)),
    )
  if (vendor.source === 'environment') throw new AdminError('vendor_found', { vendor: vendorName })
  const { credentialOff: _, ...rest } = vendor
  await saveVendorChange(parts, vendorName, { ...rest, credential: null })
}

async function ownVendor(parts: ServiceParts, name: string): Promise<VendorConfig> {
  if (name === sandboxVendor.name) throw new AdminError('sandbox_only_switched', {})
  return vendorNamed(parts, name)
}

async function checkThere(parts: ServiceParts, vendor: VendorConfig, name: string): Promise<void> {
  if (!(await credentialsIn(parts, vendor)).some((each) => each.name === name))
    throw new AdminError('credential_not_found', { vendor: vendor.name, name })
}

/** A vendor without any would be called without a key. */
async function checkNotLast(
  parts: ServiceParts,
  vendor: VendorConfig,
  name: string,
): Promise<void> {
  const active = (await credentialsIn(parts, vendor)).filter((each) => each.active)
  if (active.every((each) => each.name === name))
    throw new AdminError('last_credential', { vendor: vendor.name, name })
}

function withMore(
  { moreCredentials = [], ...vendor }: VendorConfig,
  change: (each: VendorCredential) => VendorCredential | null,
): VendorConfig {
  const more = moreCredentials.map(change).filter((each) => each !== null)
  return more.length === 0 ? vendor : { ...vendor, moreCredentials: more }
}

function freeName(there: readonly ListedCredential[]): string {
  if (there.length === 0) return defaultCredential
  let number = there.length + 1
  while (there.some(({ name }) => name === `key-${number}`)) number++
  return `key-${number}`
}
