import { useState, type CSSProperties, type ReactNode } from 'react'

interface FormProps {
  readonly onSubmit: () => void
  readonly className?: string
  readonly role?: 'search'
  readonly style?: CSSProperties
  readonly children: ReactNode
}

/** Form that its page submits, not the browser. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  />
)

type ValueEvent = { readonly currentTarget: { readonly value: string } }
type CheckEvent = { readonly currentTarget: { readonly checked: boolean } }

/** Fields of a form as they are typed, and the props of their inputs. */
export function useTyped<Typed extends object>(initial: Typed | (() => Typed)) {
  const [typed, setTyped] = useState(initial)
  return {
    typed,
    setTyped,
    field: <Name extends keyof Typed>(name: Name) => ({
      value: typed[name],
      onChange: (event: ValueEvent) => setTyped({ ...typed, [name]: event.currentTarget.value }),
    }),
    flag: <Name extends keyof Typed>(name: Name) => ({
      checked: typed[name],
      onChange: (event: CheckEvent) => setTyped({ ...typed, [name]: event.currentTarget.checked }),
    }),
  }
}
