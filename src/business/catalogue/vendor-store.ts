import { and, eq } from 'drizzle-orm'
import type { CatalogueStore } from '../../gateway/catalogue/contract'
import { defaultCredential, type VendorConfig, type VendorCredential } from '../../domain/model'
import { only, sparse } from '../../domain/fields/field'
import { vendorFields } from '../../domain/fields/vendor-fields'
import type { Vault } from '../../storage/files/vault'
import { vendorCredentials, vendors, vendorStates } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { Rows } from '../../storage/sqlite/sync-store'

type VendorRows = Pick<Rows<CatalogueStore>, 'vendors' | 'vendor' | 'saveVendor' | 'removeVendor'>

/** Vendors with their credentials, which are sealed in the database. @param changed told of a change */
export function openVendorRows(
  { orm, transaction }: Connection,
  vault: Vault,
  changed: () => void,
): VendorRows {
  const opened = (sealed: string): string => {
    const credential = vault.open(sealed)
    if (credential !== null) return credential
    throw new RangeError(
      'a vendor credential cannot be read: secret.key is not the one it was sealed with',
    )
  }
  const credentialOf = ({ name, secret, active }: typeof vendorCredentials.$inferSelect) => ({
    name,
    secret: opened(secret),
    active,
  })
  const vendorOf = (
    row: typeof vendors.$inferSelect,
    more: readonly VendorCredential[],
  ): VendorConfig => {
    const { name, credentialActive, credential } = row
    return {
      name,
      ...sparse(vendorFields, row),
      credential: credential === null ? null : opened(credential),
      ...(credentialActive ? {} : { credentialOff: true as const }),
      ...(more.length === 0 ? {} : { moreCredentials: more }),
      source: 'command',
    }
  }

  /** What was known of another address, or of another secret, is not known of this one. */
  const forgetOutdated = (name: string, now: Pick<VendorConfig, 'baseUrl' | 'credential'>) => {
    const row = orm.select().from(vendors).where(eq(vendors.name, name)).limit(1).get()
    if (row === undefined) return
    const isSameKey =
      row.credential === null
        ? now.credential === null
        : vault.open(row.credential) === now.credential
    const ofVendor = eq(vendorStates.vendor, name)
    if (row.baseUrl !== now.baseUrl) orm.delete(vendorStates).where(ofVendor).run()
    else if (!isSameKey)
      orm
        .delete(vendorStates)
        .where(and(ofVendor, eq(vendorStates.credential, defaultCredential)))
        .run()
  }

  return {
    vendors() {
      const more = Map.groupBy(
        orm
          .select()
          .from(vendorCredentials)
          .orderBy(vendorCredentials.vendor, vendorCredentials.name)
          .all(),
        ({ vendor }) => vendor,
      )
      return orm
        .select()
        .from(vendors)
        .orderBy(vendors.name)
        .all()
        .map((row) => vendorOf(row, (more.get(row.name) ?? []).map(credentialOf)))
    },
    vendor(name) {
      const row = orm.select().from(vendors).where(eq(vendors.name, name)).limit(1).get()
      if (row === undefined) return null
      const more = orm
        .select()
        .from(vendorCredentials)
        .where(eq(vendorCredentials.vendor, name))
        .orderBy(vendorCredentials.name)
        .all()
      return vendorOf(row, more.map(credentialOf))
    },
    saveVendor: ({ credential, credentialOff, moreCredentials = [], ...vendor }) =>
      transaction(() => {
        const { name, baseUrl } = vendor
        const row: Required<typeof vendors.$inferInsert> = {
          name,
          ...only(vendorFields, vendor),
          credential: credential === null ? null : vault.seal(credential),
          credentialActive: credentialOff !== true,
        }
        forgetOutdated(name, { baseUrl, credential })
        orm.insert(vendors).values(row).onConflictDoUpdate({ target: vendors.name, set: row }).run()
        orm.delete(vendorCredentials).where(eq(vendorCredentials.vendor, name)).run()
        for (const { secret, ...more } of moreCredentials)
          orm
            .insert(vendorCredentials)
            .values({ ...more, vendor: name, secret: vault.seal(secret) })
            .run()
        changed()
      }),
    removeVendor: (name) =>
      transaction(() => {
        orm.delete(vendors).where(eq(vendors.name, name)).run()
        orm.delete(vendorCredentials).where(eq(vendorCredentials.vendor, name)).run()
        orm.delete(vendorStates).where(eq(vendorStates.vendor, name)).run()
        changed()
      }),
  }
}
