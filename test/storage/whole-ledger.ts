import type { LedgerLine, LedgerPage, LedgerQuery } from '../../src/domain/reports/report'
import type { Storage } from '../../src/business/data/storage'

interface WholeLedger {
  readonly lines: readonly LedgerLine[]
  readonly opening: number | null
  readonly closing: number | null
  readonly pages: number
}

/** An account's ledger, page after page. @param between runs behind each page that another one follows */
export async function wholeLedger(
  { accountReader }: { readonly accountReader: Pick<Storage['accountReader'], 'ledger'> },
  query: Omit<LedgerQuery, 'after' | 'max'>,
  max = 200,
  between: (page: LedgerPage) => void | Promise<void> = () => {},
): Promise<WholeLedger> {
  const lines: LedgerLine[] = []
  let opening: number | null = null
  let after: string | null = null
  for (let pages = 1; ; pages++) {
    const page: LedgerPage = await accountReader.ledger({ ...query, after, max })
    lines.push(...page.lines)
    opening ??= page.opening
    if (page.next === null) return { lines, opening, closing: page.closing, pages }
    after = page.next
    await between(page)
  }
}
