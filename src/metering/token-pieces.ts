import text from './token-pieces.txt' with { type: 'text' }

/**
 * What scripts/token-pieces.ts measured with the vocabularies o200k_base and cl100k_base: the most
 * tokens of a character of each row of Unicode, and pieces that are one token.
 */
export interface TokenPieces {
  /** A digit for each row of 128 characters. */
  readonly o200kRates: string
  readonly cl100kRates: string
  /** Each with its place in the order in which o200k merges; those of ASCII are one in cl100k too. */
  readonly ranks: ReadonlyMap<string, number>
}

let pieces: TokenPieces | null = null

/** The table, read when it is first asked for. */
export const tokenPieces = (): TokenPieces => (pieces ??= readPieces())

function readPieces(): TokenPieces {
  const [o200kRates = '', cl100kRates = '', ...lines] = text.trimEnd().split('\n')
  const ranks = new Map<string, number>()
  for (const [rank, line] of lines.entries())
    ranks.set(line.includes('\\') ? (JSON.parse(`"${line}"`) as string) : line, rank)
  return { o200kRates, cl100kRates, ranks }
}
