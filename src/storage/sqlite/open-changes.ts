import type { CatalogueStore } from '../../catalogue/store'
import type { Clock } from '../../domain/clock'
import type { Directory } from '../../identity/directory'
import type { StaffAllowance } from '../../operators/allowance'
import type { PaymentStore } from '../../payments/store'
import type { PriceStore } from '../../pricing/store'
import type { SettingsStore } from '../../settings/settings'
import type { Actor } from '../../trail/trail'
import type { ChangedByPeople } from '../storage'
import type { Keyring } from '../files/keyring'
import { openAccountNoteRows } from './account-notes'
import { openCallRefunds } from './call-refunds'
import { openCardGatewayRows } from './card-gateways'
import { openCardPaymentRows } from './card-payments'
import { openCatalogueRows } from './catalogue'
import { openClosingRows } from './closings'
import { openConnectionRows } from './connections'
import type { Connection } from './database'
import { openDirectory } from './directory'
import { openGroupRows } from './groups'
import { openSettingRows } from './settings'
import { openOperatorRows } from './operators'
import { openPaymentRows } from './payments'
import { openPhoneMoveRows } from './phone-moves'
import { openPriceRows } from './prices'
import { recordedDirectory } from './recorded-directory'
import { recordedCatalogue, recordedPayments, recordedSettings } from './recorded-stores'
import { recordedPrices } from './recorded-prices'
import { openRecorder } from './recorder'
import { openRedeemCodeRows } from './redeem-codes'
import { openSignInLimitRows } from './sign-in'
import { openSisterRows } from './sister'
import { openSmsProviderRows } from './sms-providers'
import { storeOf, type Rows } from './store-rows'
import { openLookRows } from './trail'
import { openVerificationRows } from './verifications'

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
      looks: openLookRows(record),
      operators: openOperatorRows({ connection, vault, clock }, record, who),
      accountNotes: openAccountNoteRows({ connection, clock, record, who }),
    }
  }
  return { by, directoryBy }
}
