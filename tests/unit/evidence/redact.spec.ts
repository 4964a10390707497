import { sentenceWithout, shapeOf } from '../../../src/domain/evidence/redact';

it('shows the shape of a text and the values that both sides know', () => {
  const text = 'POST.https://p.example/a/.1700000000.{"app_id":"app_1","amount": 12.50,"Jane Doe":"Jörg ␊ x","note":"a b"}';
  expect(shapeOf(text, ['POST', 'https://p.example/a/', 'app_1', '1700000000'])).toBe(
    'POST.https://p.example/a/.1700000000.{"app_id":"app_1","amount": 00.00,"xxxx xxx":"x·xx ␊ x","note":"x x"}',
  );
});

it('hides encoded text and values that look like the name of a member', () => {
  expect(shapeOf('eyJhIjoiSmFuZSJ9', [])).toBe('xxxXxXxxXxXxXxX0'.replace(/X/g, 'x'));
  expect(shapeOf('{"name":"jane"}', [])).toBe('{"name":"xxxx"}');
});

it('takes quoted values and foreign apps out of sentences', () => {
  const sentence = 'You signed “jane@mail.example” as {payload}; it is signed with the key of host-app host_9 and not of miniapp app_1.';
  expect(sentenceWithout(sentence, ['app_1'])).toBe(
    'You signed “xxxx@xxxx.xxxxxxx” as {payload}; it is signed with the key of another app and not of miniapp app_1.',
  );
});
