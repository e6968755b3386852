import type { CatalogueStore } from '../../gateway/catalogue/contract'
import type { Clock } from '../../domain/clock'
import type { Directory } from '../../gateway/identity/account-directory'
import type { StaffAllowance } from '../operators/allowance'
import type { PaymentStore } from '../payments/contract'
import type { PriceStore } from '../pricing/contract'
import type { SettingsStore } from '../settings/settings'
import type { Actor } from '../../domain/audit-log'
import type { ChangedByPeople } from './storage'
import type { Keyring } from '../../storage/files/keyring'
import { openAccountNoteRows } from '../accounts/note-store'
import { openCallRefunds } from '../payments/refund-store'
import { openCardGatewayRows } from '../payments/gateway-store'
import { openCardPaymentRows } from '../payments/card-payment-store'
import { openCatalogueRows } from '../catalogue/store'
import { openClosingRows } from '../accounts/closure-store'
import { openConnectionRows } from '../settings/connection-store'
import type { Connection } from '../../storage/sqlite/connection'
import { openDirectory } from '../accounts/store'
import { openGroupRows } from '../accounts/group-store'
import { openSettingRows } from '../settings/store'
import { openOperatorRows } from '../operators/store'
import { openPaymentRows } from '../payments/store'
import { openPhoneMoveRows } from '../users/phone-change-store'
import { openPriceRows } from '../pricing/store'
import { recordedDirectory } from './recorded-directory'
import { recordedCatalogue, recordedPayments, recordedSettings } from './recorded-stores'
import { recordedPrices } from './recorded-prices'
import { openRecorder } from '../audit-log/audit-log-sql'
import { openRedeemCodeRows } from '../payments/voucher-store'
import { openSignInLimitRows } from '../users/sign-in-store'
import { openSisterRows } from '../users/sso-store'
import { openSmsProviderRows } from '../notices/sms/store'
import { storeOf, type Rows } from '../../storage/sqlite/sync-store'
import { openAuditLookRows } from '../audit-log/audit-log-store'
import { openVerificationRows } from '../verification/store'

/** What people change, with the lines of the trail. */
export function openChanges(connection: Connection, { vault, pepper }: Keyring, clock: Clock) {
  const directory = openDirectory(connection, clock)
  const catalogue = openCatalogueRows(connection, vault, clock)
  const prices = openPriceRows(connection, clock)
  const settings = openSettingRows(connection)
  const payments = openPaymentRows(connection, clock)
  const directoryBy = (who: Actor): Rows<Directory> =>
    recordedDirectory(directory, openRecorder(connection, clock, who))
  const by = (who: Actor, allowance: StaffAllowance | null = null): ChangedByPeople => {
    const record = openRecorder(connection, clock, who, allowance)
    const catalogueRows = recordedCatalogue(catalogue, record)
    return {
      directory: storeOf<Directory>(recordedDirectory(directory, record)),
      groups: openGroupRows({ connection, clock, record }),
      catalogue: storeOf<CatalogueStore>(catalogueRows),
      prices: storeOf<PriceStore>(recordedPrices(prices, catalogueRows, record)),
      settings: storeOf<SettingsStore>(recordedSettings(settings, record)),
      payments: storeOf<PaymentStore>(recordedPayments(payments, record)),
      cardGateways: openCardGatewayRows(connection, vault, record),
      cardPayments: openCardPaymentRows(connection, clock, record),
      redeemCodes: openRedeemCodeRows(connection, clock, record),
      smsProviders: openSmsProviderRows(connection, vault, record),
      phoneMoves: openPhoneMoveRows(connection, record, who),
      signInLimits: openSignInLimitRows(connection, record),
      sister: openSisterRows(connection, vault, record),
      verifications: openVerificationRows({ connection, vault, pepper, clock, record, who }),
      connections: openConnectionRows(connection, vault, record),
      closings: openClosingRows(connection, clock, record),
      refunds: openCallRefunds(connection, clock, record),
      looks: openAuditLookRows(record),
      operators: openOperatorRows({ connection, vault, clock }, record, who),
      accountNotes: openAccountNoteRows({ connection, clock, record, who }),
    }
  }
  return { by, directoryBy }
}
