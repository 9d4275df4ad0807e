import { type FormEvent, useState } from 'react'
import { ApiError, fieldErrorsOf, generalMessageOf } from '../../lib/send.ts'
import type { SignInErrors } from './sign-in-rules.ts'

type SignInForm = {
  problemsOf: (values: Record<string, string>) => SignInErrors
  submit: (values: Record<string, string>) => Promise<void>
  /** Words a failure for the person. */
  wordsOf: (error: unknown) => string
}

/** Validates the form on submit; an error stays under its field until that field is edited. */
export function useSignInForm({ problemsOf, submit, wordsOf }: SignInForm) {
  const [problems, setProblems] = useState<SignInErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isUnknown, setUnknown] = useState(false)
  const [busy, setBusy] = useState(false)

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    setFailure(null)
    setUnknown(false)
    if (showProblems(form, problemsOf(values))) return
    setBusy(true)
    try {
      await submit(values)
    } catch (error) {
      showProblems(form, fieldErrorsOf(error))
      if (generalMessageOf(error, values, '') !== null) setFailure(wordsOf(error))
      setUnknown(error instanceof ApiError && error.code === 'wrong_credentials')
    }
    setBusy(false)
  }

  /** Focuses the first field with a problem, and returns true if there is one. */
  function showProblems(form: HTMLFormElement, found: SignInErrors): boolean {
    setProblems(found)
    const [first] = Object.keys(found)
    const field = first ? form.elements.namedItem(first) : null
    if (field instanceof HTMLInputElement) field.focus()
    return first !== undefined
  }

  return {
    busy,
    failure,
    /** Forgets what was wrong, for other fields in the place of these. */
    clear() {
      setFailure(null)
      setProblems({})
    },
    form: { noValidate: true, onSubmit: (event: FormEvent<HTMLFormElement>) => void handleSubmit(event) },
    /**
     * Returns the props of the field. Wrong credentials mark all fields, since the server does not say which one is
     * wrong.
     */
    field: (name: string) => ({
      name,
      error: problems[name],
      isWrong: isUnknown || problems[name] !== undefined,
      onInput: () => {
        setUnknown(false)
        setProblems(({ [name]: _gone, ...others }) => others)
      },
    }),
  }
}
