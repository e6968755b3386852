import type { AccountId } from '../../../domain/ids'
import type { RehashedKind } from '../../../domain/pepper'
import type { HashedKind, SealedKind } from './secret-store'
import { purposeOfConnection } from '../../settings/connection-store'
import { webhookPurpose } from '../../notices/preference-store'
import { totpPurpose } from '../../operators/store'
import { sisterPurpose } from '../../users/sso-store'
import { purposeOfNationalCode } from '../../verification/store'

/** A column of hashes under the pepper. */
export interface HashedColumn {
  readonly table: string
  readonly column: string
  /** Rows that still count, in SQL; `$now` is the time. */
  readonly live: string
  /** How a hash of an older generation gives way while a rotation is unfinished. */
  readonly during: 'rehashed on use' | 'used once' | 'soon over' | 'resealed'
  /** What becomes of what is left when the rotation is finished: columns to set, or that the row goes. */
  readonly finish: { readonly set: string } | 'delete'
  /** Name for people, in SQL; null where numbers say enough. */
  readonly shown: string | null
}

const operatorName = '(SELECT name FROM operators o WHERE o.id = operator)'

/** Every hash in the database. */
export const hashedColumns: Readonly<Record<HashedKind, HashedColumn>> = {
  key: {
    table: 'keys',
    column: 'hash',
    live: `state <> 'revoked'`,
    during: 'rehashed on use',
    finish: { set: `state = 'revoked'` },
    shown: `prefix || ' ' || name`,
  },
  operator_key: {
    table: 'operator_keys',
    column: 'hash',
    live: 'revoked IS NULL AND (expires IS NULL OR expires > $now)',
    during: 'rehashed on use',
    finish: { set: 'revoked = $now' },
    shown: `prefix || ' ' || name`,
  },
  redeem_code: {
    table: 'redeem_codes',
    column: 'hash',
    live: 'redeemed IS NULL AND revoked IS NULL AND (expires IS NULL OR expires > $now)',
    during: 'used once',
    finish: { set: 'revoked = $now' },
    shown: 'batch',
  },
  session: {
    table: 'sessions',
    column: 'hash',
    live: 'expires > $now',
    during: 'rehashed on use',
    finish: 'delete',
    shown: null,
  },
  operator_session: {
    table: 'operator_sessions',
    column: 'hash',
    live: 'expires > $now',
    during: 'rehashed on use',
    finish: 'delete',
    shown: operatorName,
  },
  recovery_code: {
    table: 'operator_recovery_codes',
    column: 'hash',
    live: '1 = 1',
    during: 'used once',
    finish: 'delete',
    shown: operatorName,
  },
  operator_link: {
    table: 'operator_links',
    column: 'hash',
    live: 'expires > $now',
    during: 'soon over',
    finish: 'delete',
    shown: null,
  },
  account_look: {
    table: 'account_looks',
    column: 'hash',
    live: 'ended IS NULL AND expires > $now',
    during: 'soon over',
    finish: { set: 'ended = $now' },
    shown: null,
  },
  known_place: {
    table: 'known_places',
    column: 'place',
    live: '1 = 1',
    during: 'rehashed on use',
    finish: 'delete',
    shown: null,
  },
  sign_in_code: {
    table: 'sent_codes',
    column: 'hash',
    live: 'hash IS NOT NULL AND expires > $now',
    during: 'soon over',
    finish: { set: 'hash = NULL' },
    shown: null,
  },
  email_code: {
    table: 'contacts',
    column: 'code_hash',
    live: `code_hash IS NOT NULL AND code_hash <> '' AND code_expires > $now`,
    during: 'soon over',
    finish: { set: `code_hash = ''` },
    shown: null,
  },
  passkey_challenge: {
    table: 'passkey_challenges',
    column: 'hash',
    live: 'expires > $now',
    during: 'soon over',
    finish: 'delete',
    shown: null,
  },
  operator_passkey_challenge: {
    table: 'operator_passkey_challenges',
    column: 'hash',
    live: 'expires > $now',
    during: 'soon over',
    finish: 'delete',
    shown: null,
  },
  // Forgotten too early, a ticket would sign somebody in a second time: a rotation is not finished before.
  used_ticket: {
    table: 'used_tickets',
    column: 'hash',
    live: 'expires > $now',
    during: 'soon over',
    finish: 'delete',
    shown: null,
  },
  national_hash: {
    table: 'verifications',
    column: 'national_hash',
    live: 'national_hash IS NOT NULL',
    during: 'resealed',
    finish: { set: 'national_hash = NULL' },
    shown: null,
  },
}

/** Tables whose rows are rehashed once they were found by an older hash. */
export const rehashedTables: Readonly<Record<RehashedKind, string>> = {
  key: hashedColumns.key.table,
  operator_key: hashedColumns.operator_key.table,
  session: hashedColumns.session.table,
  operator_session: hashedColumns.operator_session.table,
}

/** A column of sealed texts: sealed anew when the generation changes. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Columns that name a row. */
  readonly key: readonly string[]
  /** What its text is bound to. @param key values of those columns */
  purpose(key: readonly unknown[]): string
}

const unbound = () => ''

/** Every sealed text in the database. */
export const sealedColumns: Readonly<Record<SealedKind, SealedColumn>> = {
  vendor_credential: {
    table: 'vendors',
    column: 'credential',
    key: ['name'],
    purpose: unbound,
  },
  more_vendor_credential: {
    table: 'vendor_credentials',
    column: 'secret',
    key: ['vendor', 'name'],
    purpose: unbound,
  },
  sms_provider: { table: 'sms_providers', column: 'secret', key: ['name'], purpose: unbound },
  card_gateway: { table: 'card_gateways', column: 'secret', key: ['name'], purpose: unbound },
  connection: {
    table: 'connections',
    column: 'secret',
    key: ['name'],
    purpose: ([name]) => purposeOfConnection(String(name)),
  },
  sister_service: {
    table: 'sister_service',
    column: 'secret',
    key: ['id'],
    purpose: () => sisterPurpose,
  },
  account_webhook: {
    table: 'account_webhooks',
    column: 'secret',
    key: ['account'],
    purpose: ([account]) => webhookPurpose(account as AccountId),
  },
  operator_totp: { table: 'operators', column: 'totp', key: ['id'], purpose: () => totpPurpose },
  operator_link_totp: {
    table: 'operator_links',
    column: 'totp',
    key: ['hash'],
    purpose: () => totpPurpose,
  },
  national_code: {
    table: 'verifications',
    column: 'national_code',
    key: ['account'],
    purpose: ([account]) => purposeOfNationalCode(account as AccountId),
  },
}
