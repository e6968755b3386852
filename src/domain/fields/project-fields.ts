import { settableField, orNone } from './field'

/** Settable fields of a project. */
export const projectFields = {
  name: settableField.name('name', 'name, for people'),
  active: settableField.flag('active', 'whether its keys are answered', { preset: true }),
  /** Model ids and patterns such as `openai/*`; null allows every model. */
  allowedModels: orNone(
    settableField.words('allowed_models', 'allow only these models; repeatable', {
      option: 'allow-model <pattern>',
    }),
  ),
  monthlyBudget: orNone(
    settableField.usd('monthly_budget_usd', 'maximum dollars per calendar month (UTC), or null'),
  ),
} as const
