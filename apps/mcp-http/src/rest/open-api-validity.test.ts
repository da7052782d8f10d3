import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { createOpenApiDocument } from './open-api-document.ts';
import { RestScene } from './testing/rest-scene.ts';

it.each([null, 'https://issuer.example/'])('the document is OpenAPI 3.1, with the issuer %s', async (oauthIssuer) => {
  const { surface } = new RestScene();
  const options = { version: '1.2.3', serverUrl: 'http://127.0.0.1:3000', oauthIssuer };
  const document = JSON.parse(JSON.stringify(createOpenApiDocument(surface, options)));
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(await new Validator().validate({ ...document, info: {} })).toMatchObject({ valid: false });
});
