import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { plainNumber } from '../typed'
import type { Parameters } from './chat-turns'

/** Parameters as they are typed. */
interface TypedParameters {
  readonly system: string
  readonly temperature: string
  readonly maxTokens: string
  /** Empty for the model's own. */
  readonly effort: string
}

/** Empty fields: every parameter is left to the model. */
export const noParameters: TypedParameters = {
  system: '',
  temperature: '',
  maxTokens: '',
  effort: '',
}

const maxTemperature = 2

/** Parameters as numbers. @returns null where one of them is wrong */
export function parametersOf(typed: TypedParameters): Parameters | null {
  const [temperature, maxTokens] = [temperatureOf(typed.temperature), tokensOf(typed.maxTokens)]
  if (temperature === 'wrong' || maxTokens === 'wrong') return null
  return {
    system: typed.system,
    temperature,
    maxTokens,
    effort: typed.effort === '' ? null : typed.effort,
  }
}

function temperatureOf(typed: string): number | null | 'wrong' {
  const text = plainNumber(typed)
  if (text === '') return null
  return /^\d(?:\.\d{1,3})?$/.test(text) && Number(text) <= maxTemperature ? Number(text) : 'wrong'
}

function tokensOf(typed: string): number | null | 'wrong' {
  const text = plainNumber(typed)
  if (text === '') return null
  return /^[1-9]\d{0,7}$/.test(text) ? Number(text) : 'wrong'
}

interface ParametersFormProps {
  readonly typed: TypedParameters
  readonly onChange: (typed: TypedParameters) => void
  /** Of the models that are asked; none where none of them has any. */
  readonly efforts: readonly string[]
}

/** Form of the parameters that are sent beside the conversation. */
export function ParametersForm({ typed, onChange, efforts }: ParametersFormProps) {
  const t = useTranslations('talk')
  const field = (name: keyof TypedParameters) => ({
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <details className="more">
      <summary>{t('parameters')}</summary>
      <Textarea
        {...field('system')}
        label={t('system')}
        description={t('systemHint')}
        classNames={{ input: 'any-script' }}
        rows={3}
        maxLength={20_000}
        mb="sm"
      />
      <div className="filters">
        <TextInput
          {...field('temperature')}
          label={t('temperature')}
          description={t('temperatureHint')}
          inputMode="decimal"
          autoComplete="off"
          error={temperatureOf(typed.temperature) === 'wrong' ? t('temperatureWrong') : null}
        />
        <TextInput
          {...field('maxTokens')}
          label={t('maxTokens')}
          inputMode="numeric"
          autoComplete="off"
          error={tokensOf(typed.maxTokens) === 'wrong' ? t('maxTokensWrong') : null}
        />
        {efforts.length > 0 && (
          <NativeSelect
            {...field('effort')}
            label={t('effort')}
            description={t('effortHint')}
            data={[
              { value: '', label: t('ownEffort') },
              ...efforts.map((value) => ({ value, label: value })),
            ]}
          />
        )}
      </div>
    </details>
  )
}
