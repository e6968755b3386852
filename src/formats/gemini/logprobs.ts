import { fieldsOf, listOf, type Fields } from '../../json/fields'

/** How likely the tokens of a candidate were, in the reference's shape. */
export function logprobsOf(result: unknown): readonly Fields[] {
  const { topCandidates, chosenCandidates } = fieldsOf(result)
  const top = listOf(topCandidates)
  return listOf(chosenCandidates).map((chosen, at) => ({
    ...tokenOf(chosen),
    top_logprobs: listOf(fieldsOf(top[at])['candidates']).map(tokenOf),
  }))
}

function tokenOf(raw: unknown): Fields {
  const { token, logProbability } = fieldsOf(raw)
  const text = typeof token === 'string' ? token : ''
  return { token: text, logprob: logProbability ?? 0, bytes: [...new TextEncoder().encode(text)] }
}
