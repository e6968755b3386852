import type { CatalogueStore } from '../../gateway/catalogue/contract'
import type { ModelEntry, VendorConfig } from '../../domain/model'
import { showUsd } from '../../domain/money'
import type { PaymentStore } from '../payments/contract'
import { toldSetting } from '../settings/setting-text'
import type { SettingsStore } from '../settings/settings'
import { secretOf } from '../audit-log/changed-fields'
import type { TrailFields } from '../../domain/audit-log'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import type { Rows } from '../../storage/sqlite/sync-store'

const vendorFields = ({
  name: _,
  source: __,
  moreCredentials = [],
  ...vendor
}: VendorConfig): TrailFields => ({
  ...vendor,
  ...(moreCredentials.length === 0
    ? {}
    : { more_credentials: moreCredentials.map(({ name, active }) => ({ name, active })) }),
  ...Object.fromEntries(moreCredentials.map(({ name, secret }) => [`${secretOf}${name}`, secret])),
})

const modelFields = ({ id: _, created: __, card, ...entry }: ModelEntry): TrailFields => ({
  ...entry,
  prices: card?.lines ?? null,
})

/** The catalogue, each change of an operator with its line of the trail. */
export function recordedCatalogue(
  catalogue: Rows<CatalogueStore>,
  record: WriteAudit,
): Rows<CatalogueStore> {
  const modelNow = (id: string): TrailFields | null => {
    const found = catalogue.model(id)
    return found === null ? null : modelFields(found)
  }
  const vendorNow = (name: string): TrailFields | null => {
    const found = catalogue.vendor(name)
    return found === null ? null : vendorFields(found)
  }
  const aliasNow = (id: string): TrailFields | null => {
    const found = catalogue.alias(id)
    return found === null ? null : { model: found.model, listed: found.listed }
  }
  return {
    ...catalogue,
    saveModel: (model, lines) =>
      record({
        what: 'model.save',
        work: () => catalogue.saveModel(model, lines),
        subject: () => `model:${model.id}`,
        before: () => modelNow(model.id),
        after: modelFields,
      }),
    removeModel: (id) =>
      record({
        what: 'model.remove',
        work: () => catalogue.removeModel(id),
        subject: () => `model:${id}`,
        before: () => modelNow(id),
        after: () => null,
      }),
    saveVendor: (vendor) =>
      record({
        what: 'vendor.save',
        work: () => catalogue.saveVendor(vendor),
        subject: () => `vendor:${vendor.name}`,
        before: () => vendorNow(vendor.name),
        after: () => vendorNow(vendor.name),
      }),
    saveAlias: (alias) =>
      record({
        what: 'alias.save',
        work: () => catalogue.saveAlias(alias),
        subject: () => `alias:${alias.id}`,
        before: () => aliasNow(alias.id),
        after: () => aliasNow(alias.id),
      }),
    removeAlias: (id) =>
      record({
        what: 'alias.remove',
        work: () => catalogue.removeAlias(id),
        subject: () => `alias:${id}`,
        before: () => aliasNow(id),
        after: () => null,
      }),
    removeVendor: (name) =>
      record({
        what: 'vendor.remove',
        work: () => catalogue.removeVendor(name),
        subject: () => `vendor:${name}`,
        before: () => vendorNow(name),
        after: () => null,
      }),
  }
}

/** Settings, each change with its line of the trail. */
export function recordedSettings(
  settings: Rows<SettingsStore>,
  record: WriteAudit,
): Rows<SettingsStore> {
  const now = (name: string): TrailFields | null => {
    const value = settings.get(name)
    return value === null ? null : { value: toldSetting(name, value) }
  }
  return {
    ...settings,
    set: (name, text) =>
      record({
        what: 'setting.set',
        work: () => settings.set(name, text),
        subject: () => `setting:${name}`,
        before: () => now(name),
        after: () => ({ value: toldSetting(name, text) }),
      }),
    unset: (name) =>
      record({
        what: 'setting.reset',
        work: () => settings.unset(name),
        subject: () => `setting:${name}`,
        before: () => now(name),
        after: () => null,
      }),
  }
}

/** Rates and payments, each with its line of the trail. */
export function recordedPayments(
  payments: Rows<PaymentStore>,
  record: WriteAudit,
): Rows<PaymentStore> {
  return {
    ...payments,
    setRate: (rate, by) =>
      record({
        what: 'rate.set',
        work: () => payments.setRate(rate, by),
        subject: () => 'rate',
        before: () => {
          const now = payments.rate()
          return now === null ? null : { coins_per_usd: now.rate }
        },
        after: (made) => ({ coins_per_usd: made.rate }),
      }),
    pay: (paying, amountAt) =>
      record({
        what: 'account.topup',
        work: () => payments.pay(paying, amountAt),
        subject: () => `account:${paying.account}`,
        before: () => null,
        after: ({ payment, balance, repeated }) =>
          repeated
            ? null
            : {
                amount_usd: showUsd(payment.amount),
                balance_usd: showUsd(balance),
                coins: payment.coins,
                rate: payment.rate,
                reference: payment.reference,
              },
        gives: ({ payment, repeated }) => (repeated ? null : { usd: payment.amount }),
      }),
  }
}
