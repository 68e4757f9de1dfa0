/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keywords and punctuators of GNU C, and the lexer's interface. `:=`, `:-` and `::` are no tokens: the
 * parser joins them where Split-C's grammar allows, since `a?b:-1` and `case x:-1` are C. */
#ifndef SCC_LEX_H
#define SCC_LEX_H

#include "ast.h"

enum scc_keyword {
    KW_NONE = 0, KW_FIRST = 256,
    KW_AUTO = KW_FIRST, KW_BREAK, KW_CASE, KW_CHAR, KW_CONST, KW_CONTINUE, KW_DEFAULT, KW_DO, KW_DOUBLE, KW_ELSE,
    KW_ENUM, KW_EXTERN, KW_FLOAT, KW_FOR, KW_GOTO, KW_IF, KW_INLINE, KW_INT, KW_LONG, KW_REGISTER, KW_RESTRICT,
    KW_RETURN, KW_SHORT, KW_SIGNED, KW_SIZEOF, KW_STATIC, KW_STRUCT, KW_SWITCH, KW_TYPEDEF, KW_UNION, KW_UNSIGNED,
    KW_VOID, KW_VOLATILE, KW_WHILE, KW_ALIGNAS, KW_ALIGNOF, KW_ATOMIC, KW_BOOL, KW_COMPLEX, KW_GENERIC, KW_NORETURN,
    KW_STATIC_ASSERT, KW_THREAD, KW_ASM, KW_TYPEOF, KW_ATTRIBUTE, KW_EXTENSION, KW_REAL, KW_IMAG, KW_LABEL,
    KW_INT128, KW_AUTO_TYPE, KW_FLOAT16, KW_FLOAT32, KW_FLOAT64, KW_FLOAT128, KW_FLOAT32X, KW_FLOAT64X,
    KW_BFLOAT16, KW_DECIMAL32, KW_DECIMAL64, KW_DECIMAL128, KW_VA_ARG, KW_OFFSETOF, KW_TYPES_COMPATIBLE,
    KW_CHOOSE_EXPR, KW_CONVERTVECTOR, KW_HAS_ATTRIBUTE, KW_FUNCTION_NAME
};

enum scc_punct {
    P_NONE, P_LBRACKET, P_RBRACKET, P_LPAREN, P_RPAREN, P_LBRACE, P_RBRACE, P_DOT, P_ARROW, P_INC, P_DEC, P_AND,
    P_STAR, P_PLUS, P_MINUS, P_TILDE, P_NOT, P_SLASH, P_PERCENT, P_LSHIFT, P_RSHIFT, P_LESS, P_GREATER, P_LESS_EQUAL,
    P_GREATER_EQUAL, P_EQUAL, P_NOT_EQUAL, P_XOR, P_OR, P_ANDAND, P_OROR, P_QUESTION, P_COLON, P_SEMICOLON,
    P_ELLIPSIS, P_ASSIGN, P_MUL_ASSIGN, P_DIV_ASSIGN, P_MOD_ASSIGN, P_ADD_ASSIGN, P_SUB_ASSIGN, P_LSHIFT_ASSIGN,
    P_RSHIFT_ASSIGN, P_AND_ASSIGN, P_XOR_ASSIGN, P_OR_ASSIGN, P_COMMA, P_HASH, P_HASHHASH,
    P_GETPUT, /* := */
    P_STORE   /* :- */
};

struct scc_lexer;

/* Fills unit->tokens and unit->files. Bad characters become TK_OTHER tokens, which the parser refuses. */
void scc_lex(struct scc_unit *unit, const char *name);
struct scc_name *scc_intern(struct scc_unit *unit, const char *text, size_t len);
const char *scc_operator_text(int op); /* "+=", ":-", "sizeof" */

#endif
