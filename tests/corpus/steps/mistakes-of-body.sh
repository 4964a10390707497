# shellcheck shell=bash
# Mistakes in the payload: another text was signed than was sent, and not the one in the app's form either.

need_body_reserialised() {
  plain_manner
  agreed[sent_gaps]=$(cycle "$1" compact spaced pretty compact compact)
  [[ $(($1 % 5)) -eq 2 ]] && agreed[spaces]=1
  [[ $(($1 % 5)) -eq 3 ]] && agree_on_body decimal-order
  return 0
}
# In turn: blanks signed; indented signed; compact signed where blanks are the form; numbers through a float; indented signed.
break_body_reserialised() {
  case $(($1 % 5)) in
    0) told[gaps]=spaced ;;
    2) told[gaps]=compact ;;
    3) told[floats]=1 ;;
    *) told[gaps]=pretty ;;
  esac
}

need_body_sorted() {
  plain_manner
  if [[ $(($1 % 3)) -eq 2 ]]; then
    agreed[spaces]=1
    agreed[sent_gaps]=spaced
  fi
}
break_body_sorted() { told[sort]=1; }

need_body_empty() { with_part payload; }
break_body_empty() { told[empty]=1; }

# The third variant: the file ends in a newline that the shell dropped before signing, and indents so that the form differs, too.
need_body_newline() {
  plain_manner
  [[ $(($1 % 4)) -eq 2 ]] || return 0
  agreed[sent_gaps]=pretty
  agreed[sent_tail]=$'\n'
}
break_body_newline() {
  case $(($1 % 4)) in
    2) told[trim]=1 ;;
    1) told[after]=$'\r\n' ;;
    *) told[after]=$'\n' ;;
  esac
}

need_body_bom() { with_part payload; }
break_body_bom() { told[before]=$'\xef\xbb\xbf'; }

# The third variant sends escapes and signs plain UTF-8, with blanks that no form prints.
need_body_escaped_unicode() {
  plain_manner
  agree_on_body "$(cycle "$((agreed[n] + $1))" "${wide_bodies[@]}")"
  [[ $(($1 % 4)) -eq 2 ]] || return 0
  agreed[sent_gaps]=airy
  agreed[sent_unicode]=escape
}
break_body_escaped_unicode() {
  told[unicode]=$(cycle "$1" escape escape plain upper)
}
