import { allModels, type BillUnits } from './bill'
import { amountCell, countCell, dayCell } from './cells'
import { has, type BillFormat } from './format'

/*
 * OpenRouter tells UTC days of the last thirty by its API, and single generations or days in the
 * exports of its activity page. Dollars are what it takes of its credits; what a key of one's own
 * costs elsewhere is not on its bill. Completion tokens hold the reasoning.
 *
 * Sources: "Get user activity grouped by endpoint" and "Activity export", openrouter.ai/docs (read
 * 2026-11-23); columns of `openrouter_activity_*.csv` as published by users (2026-05, 2026-09).
 */

/** Units of a line of OpenRouter's activity. @param cached null where the prompt is not told apart */
export const openrouterUnits = (
  prompt: number,
  completion: number,
  cached: number | null,
): BillUnits =>
  cached === null
    ? { all_input: prompt, output: completion }
    : { input: Math.max(0, prompt - cached), cached_input: cached, output: completion }

export const openrouterGenerations: BillFormat = {
  name: 'OpenRouter activity export',
  zone: 'UTC',
  recognises: (columns) => has(columns, 'created_at', 'cost_total', 'model_permaslug'),
  open: ({ columns }) => ({
    line(row) {
      const usd = amountCell(row, 'cost_total')
      const prompt = countCell(row, 'tokens_prompt')
      return {
        day: dayCell(row, 'created_at', 'UTC'),
        model: row.cell('model_permaslug') || allModels,
        calls: 1,
        ...(usd === null ? {} : { usd }),
        ...(prompt === undefined
          ? {}
          : {
              units: openrouterUnits(
                prompt,
                countCell(row, 'tokens_completion') ?? 0,
                columns.has('tokens_cached') ? (countCell(row, 'tokens_cached') ?? 0) : null,
              ),
            }),
      }
    },
  }),
}

export const openrouterDays: BillFormat = {
  name: 'OpenRouter activity export by day',
  zone: 'UTC',
  recognises: (columns) => has(columns, 'date', 'slug', 'usage', 'requests'),
  open: () => ({
    line(row) {
      const usd = amountCell(row, 'usage')
      return {
        day: dayCell(row, 'date', 'UTC'),
        model: row.cell('slug') || allModels,
        calls: countCell(row, 'requests') ?? 0,
        units: openrouterUnits(
          countCell(row, 'prompt_tokens') ?? 0,
          countCell(row, 'completion_tokens') ?? 0,
          null,
        ),
        ...(usd === null ? {} : { usd }),
      }
    },
  }),
}
