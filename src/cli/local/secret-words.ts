import type { HashedKind, SealedKind } from '../../business/data/secrets/secret-store'

/** Names of what is kept as a hash, and what a finished rotation does to those that were not used since it began. */
export const hashedWords: Readonly<Record<HashedKind, readonly [name: string, lost: string]>> = {
  key: ['keys', 'revoked: their clients get 401'],
  operator_key: ['operator keys', 'revoked: make new ones with chapar operator key create'],
  redeem_code: ['redeem codes', 'revoked: sell new ones with chapar code create'],
  session: ['sessions', 'ended: their people sign in again'],
  operator_session: ['sessions of operators', 'ended: they sign in again'],
  recovery_code: [
    'recovery codes of operators',
    'gone: chapar operator reset gives an operator new ones',
  ],
  operator_link: ['links to operators', 'gone: chapar operator link makes another one'],
  account_look: ['visits of accounts', 'ended'],
  known_place: ['places of sign-in', 'forgotten: a sign-in from there is announced as a new one'],
  sign_in_code: ['sign-in codes', 'gone: their people ask for another one'],
  email_code: ['e-mail codes', 'gone: their people ask for another one'],
  passkey_challenge: ['passkey challenges', 'gone: their people try again'],
  operator_passkey_challenge: ['passkey challenges of operators', 'gone: they try again'],
  used_ticket: ['used tickets of the sister service', 'forgotten once they are over'],
  national_hash: ['hashes of national codes', 'gone, where the code cannot be opened'],
}

/** Names of what is kept sealed. */
export const sealedWords: Readonly<Record<SealedKind, string>> = {
  vendor_credential: 'credentials of vendors',
  more_vendor_credential: 'more credentials of vendors',
  sms_provider: 'keys of SMS providers',
  card_gateway: 'secrets of card gateways',
  connection: 'secrets of mail and verification',
  sister_service: 'secret of the sister service',
  account_webhook: 'secrets of webhooks of accounts',
  operator_totp: 'one-time codes of operators',
  operator_link_totp: 'one-time codes of links to operators',
  national_code: 'national codes',
}
