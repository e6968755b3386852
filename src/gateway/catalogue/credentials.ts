import { defaultCredential, type VendorConfig } from '../../domain/model'

/** A vendor with several credentials, as each of them signs. */
interface Signed {
  readonly all: readonly VendorConfig[]
  readonly active: readonly VendorConfig[]
}

/** Configuration of each credential, made once: connections hang on it. */
const known = new WeakMap<VendorConfig, Signed>()

/** Whether calls choose among credentials, or use another than the default one. */
export const hasSeveral = ({ moreCredentials, credentialOff }: VendorConfig): boolean =>
  moreCredentials !== undefined || credentialOff === true

/** A vendor once for each credential that is switched on; itself where it has the default one alone. */
export const credentialsOf = (vendor: VendorConfig): readonly VendorConfig[] =>
  hasSeveral(vendor) ? signedOf(vendor).active : [vendor]

/**
 * A vendor as one of its credentials signs, switched on or not; another one where it has none of this
 * name any more.
 * @param name null for the default one
 */
export function credentialNamed(vendor: VendorConfig, name: string | null): VendorConfig {
  if (!hasSeveral(vendor)) return vendor
  const { all, active } = signedOf(vendor)
  const wanted = name ?? defaultCredential
  return all.find((each) => each.credentialName === wanted) ?? active[0] ?? all[0] ?? vendor
}

/** A vendor as each of its credentials signs, switched on or not. */
export const everyCredentialOf = (vendor: VendorConfig): readonly VendorConfig[] =>
  hasSeveral(vendor) ? signedOf(vendor).all : [vendor]

/** The name of the credential that signs. */
export const credentialIn = ({ credentialName = defaultCredential }: VendorConfig): string =>
  credentialName

function signedOf(vendor: VendorConfig): Signed {
  const found = known.get(vendor)
  if (found !== undefined) return found
  const { moreCredentials = [], credentialOff, ...rest } = vendor
  const own =
    vendor.credential === null
      ? []
      : [{ name: defaultCredential, secret: vendor.credential, active: credentialOff !== true }]
  const each = [...own, ...moreCredentials].map(({ name, secret, active }) => ({
    active,
    config: { ...rest, credential: secret, credentialName: name },
  }))
  const signed = {
    all: each.map(({ config }) => config),
    active: each.filter(({ active }) => active).map(({ config }) => config),
  }
  known.set(vendor, signed)
  return signed
}
