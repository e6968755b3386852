import { isoOf } from '../../domain/clock'
import { maskPhone } from '../../domain/phone'
import { maskNationalCode } from './national-code'
import type { Verification } from './verification'

/** A verification as operators see it: telephone and national code are masked. */
export const verificationView = (each: Verification) => ({
  account: each.account,
  account_name: each.accountName,
  person: each.person,
  phone: each.phone === null ? null : maskPhone(each.phone),
  state: each.state,
  first_name: each.identity?.firstName ?? null,
  last_name: each.identity?.lastName ?? null,
  national_code: each.identity === null ? null : maskNationalCode(each.identity.nationalCode),
  birth_date: each.identity?.birthDate ?? null,
  provider: each.provider,
  reason: each.reason,
  by: each.by,
  submitted: new Date(each.submitted).toISOString(),
  decided: isoOf(each.decided),
})
