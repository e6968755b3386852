import { Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslations } from 'use-intl'
import type { Project } from '../key-values'
import { isUsd, usdField, usdOrNull } from '../typed'
import { Failed } from './failed'
import { ModelPicker } from './model-picker'
import { UsdInput } from './money/usd-input'

/** Fields of the project form, as they are typed; the budget in dollars. */
export interface ProjectValues {
  readonly name: string
  readonly budget: string
  readonly models: string[]
  readonly active: boolean
}

/** Change of a project that the server is asked for. */
export const projectChange = ({ name, budget, models, active }: ProjectValues) => ({
  name: name.trim(),
  active,
  monthly_budget_usd: usdOrNull(budget),
  allowed_models: models.length === 0 ? null : models,
})

interface ProjectFormProps {
  /** Null for a new one. */
  readonly project: Project | null
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (values: ProjectValues) => void
  readonly onCancel: () => void
}

/** Name, budget and models of a project. */
export function ProjectForm({ project, busy, error, onSubmit, onCancel }: ProjectFormProps) {
  const t = useTranslations('projects')
  const limits = useTranslations('limits')
  const form = useForm<ProjectValues>({
    initialValues: {
      name: project?.name ?? '',
      budget: usdField(project?.monthly_budget_usd ?? null),
      models: [...(project?.allowed_models ?? [])],
      active: project?.active ?? true,
    },
    validate: {
      name: (name) => (name.trim() === '' ? limits('nameNeeded') : null),
      budget: (budget) => (budget.trim() === '' || isUsd(budget) ? null : limits('amountWrong')),
    },
  })
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('name')}
          label={limits('name')}
          dir="auto"
          required
          data-autofocus
          maxLength={60}
        />
        <UsdInput
          {...form.getInputProps('budget')}
          label={t('budget')}
          description={t('budgetHint')}
          placeholder={limits('none')}
        />
        <ModelPicker
          value={form.values.models}
          onChange={(models) => form.setFieldValue('models', models)}
        />
        {project !== null && (
          <Switch
            {...form.getInputProps('active', { type: 'checkbox' })}
            label={t('isActive')}
            description={t('isActiveHint')}
          />
        )}
        <Failed error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {limits('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(project === null ? 'create' : 'save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
