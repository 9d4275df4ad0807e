import { expect, test } from 'vitest'
import { readForm } from './connect-zoom.ts'

test('submits a form to its action, with its hidden fields', () => {
  const page = `<p>Hello</p><form method="post" action="/oauth/consent?a=1&amp;b=2">
    <input type="hidden" name="request" value="x&amp;&quot;y&quot;">
    <input type="radio" name="account" value="one" checked>
    <input id="email" name="email" type="email">
    <button name="action" value="allow">Allow</button></form>`
  const form = readForm(page, 'http://localhost:3001/oauth/authorize?client_id=c')
  expect(form.action).toBe('http://localhost:3001/oauth/consent?a=1&b=2')
  expect([...form.fields]).toEqual([['request', 'x&"y"']])
})

test('reports a page without a form', () => {
  expect(() => readForm('<h1>Not possible</h1>', 'http://localhost:3001/')).toThrow('The consent page has no form')
})
