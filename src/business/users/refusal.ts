/** Why somebody is not signed in, or may not change who is, and the facts of it. */
interface RefusalFacts {
  phone_invalid: {}
  /** The new number is somebody's already. */
  phone_taken: {}
  /** An account has an owner at all times. */
  last_owner: {}
  owners_only: {}
  already_member: {}
  too_many_members: { readonly max: number }
  /** Answered, withdrawn, too old, or never there. */
  invitation_over: {}
  not_member: {}
  /** WebAuthn needs https and a name, or `localhost`. */
  passkeys_unavailable: {}
  /** Nobody signs in by it: removed, or never registered here. */
  passkey_unknown: {}
  /** The challenge was not ours, used before or is over; begin again. */
  passkey_expired: {}
  /** What it signed does not hold. */
  passkey_invalid: {}
  /** It counted backwards: there may be a copy of it. */
  passkey_cloned: {}
  passkey_known: {}
  /** It signed for somebody else than who is signed in. */
  passkey_not_yours: {}
  passkeys_full: { readonly max: number }
  /** No sister service is set up. */
  sister_off: {}
  /** Not for us, not from the sister, or not whole; the log says which. */
  ticket_invalid: {}
  ticket_expired: {}
  /** It signed somebody in before. */
  ticket_used: {}
  /** It was asked for by another browser, or too long ago. */
  ticket_elsewhere: {}
  /** Wrong tries that are left. */
  code_wrong: { readonly left: number }
  /** Of a code that any browser may try: never told whether it was compared. */
  code_long_wrong: { readonly digits: number }
  code_expired: {}
  /** The code was guessed too often: another may be asked for. */
  code_void: {}
  /** Strangers guessed too often for this phone today: known places go on. */
  code_locked: { readonly waitSeconds: number }
  /** A code was sent a moment ago. */
  code_too_soon: { readonly waitSeconds: number }
  /** Too many codes for this phone, or asked for from this address. */
  code_too_often: { readonly waitSeconds: number }
  /** The service has sent all that it may send in an hour. */
  sms_capacity: { readonly waitSeconds: number }
  /** No provider took it. */
  sms_failed: {}
}

export type PeopleCode = keyof RefusalFacts

/** A refusal as plain data: what stores answer crosses threads, where an error loses its class. */
export type RefusedPeople = {
  [Code in PeopleCode]: { readonly code: Code; readonly facts: RefusalFacts[Code] }
}[PeopleCode]

/** A refusal by code; the page has the words. */
export class PeopleRefusal<Code extends PeopleCode = PeopleCode> extends Error {
  constructor(
    readonly code: Code,
    readonly facts: RefusalFacts[Code],
  ) {
    super(code)
    this.name = 'PeopleRefusal'
  }
}

/** Narrows to a refusal; `instanceof` alone would lose the types of code and facts. */
export const isPeopleRefusal = (thrown: unknown): thrown is PeopleRefusal =>
  thrown instanceof PeopleRefusal
