import 'reflect-metadata';
import { TransactionDto } from '../../../src/adapters/in/http/api/analytics.dto';
import { UserDataDto } from '../../../src/adapters/in/http/api/sign-on.dto';
import { readDto } from '../../../src/adapters/dto/read-dto';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

const problemsOf = (type: new () => object, members: object): readonly { path: string; rule: string }[] =>
  readDto(type, readJsonText(JSON.stringify(members)) as JsonObject).problems;

describe('an e-mail address', () => {
  it.each(['"a\r\nBcc: x@evil.example"@iana.org', '"a\tb"@iana.org', '"a\u007f"@iana.org', '"a\u0085b"@iana.org', '"a\u2028b"@iana.org'])(
    'holds no control character: %j',
    (email) => {
      expect(problemsOf(UserDataDto, { reference: 'u', email })).toEqual([{ path: 'email', rule: 'must not hold control characters' }]);
      expect(problemsOf(TransactionDto, { transaction_id: 't', amount: '1', currency: 'EUR', customer: { email } })).toEqual([
        { path: 'customer', rule: 'email must not hold control characters' },
      ]);
    },
  );

  it.each(['', 'a@example.com', '"a b"@iana.org', 'jörg@example.com'])('may be %j', (email) => {
    expect(problemsOf(UserDataDto, { reference: 'u', email })).toEqual([]);
    expect(problemsOf(TransactionDto, { transaction_id: 't', amount: '1', currency: 'EUR', customer: { email } })).toEqual([]);
  });
});
