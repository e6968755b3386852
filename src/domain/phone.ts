import type { Brand } from './brand'

/** `+98` and ten digits (ITU-T E.164): the one spelling in which a number is kept and compared. */
export type Phone = Brand<string, 'Phone'>

const persianZero = 0x06f0
const arabicZero = 0x0660

/** Persian and Arabic digits as ASCII ones: keyboards of phones write them. */
export const asciiDigits = (text: string): string =>
  text.replace(/[۰-۹٠-٩]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (code >= persianZero ? persianZero : arabicZero))
  })

/** Spaces, dashes, brackets, dots, joiners, and marks of writing direction: pasted numbers carry them. */
const fillers = /[\s\-–—().\u200c-\u200f\u202a-\u202e\u2066-\u2069]/g

/** An Iranian mobile number (9 and nine digits), however a person writes it; null when it is none. */
export function parsePhone(text: string): Phone | null {
  const digits = asciiDigits(text).replace(fillers, '')
  const [, number] = /^(?:\+98|0098|98|0)?(9\d{9})$/.exec(digits) ?? []
  return number === undefined ? null : (`+98${number}` as Phone)
}

const parts = /^\+98(\d{3})(\d{3})(\d{4})$/

/** `0912 345 6789`: as people in the country read it. */
export const showPhone = (phone: Phone): string => phone.replace(parts, '0$1 $2 $3')

/** Enough to recognise one's own, too little for anybody else: `0912 ··· 6789`. */
export const maskPhone = (phone: Phone): string => phone.replace(parts, '0$1 ··· $3')

/** `09123456789`: as providers in the country take it. */
export const localPhone = (phone: Phone): string => phone.replace(parts, '0$1$2$3')
