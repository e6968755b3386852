/** A national code of nine digits and the one that checks them. */
export function nationalCode(number: number): string {
  const nine = String(number).padStart(9, '0')
  const rest = Array.from(nine, Number).reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11
  return `${nine}${rest < 2 ? rest : 11 - rest}`
}
