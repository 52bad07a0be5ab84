/** What is put into headers: words of C where they have no business, and what breaks readers that are written carelessly. */

const HALF_PAIR = String.fromCharCode(0xd800);

export const TOKENS: readonly string[] = [
  ..."; , ( ) { } [ ] * & = + - / % < > << >> == != && || ! ~ ? : . -> ... # ## // /* */ \" ' \\ ` ${ @ $ \0".split(
    " ",
  ),
  ..."typedef struct union enum const volatile static extern inline restrict register _Atomic _Thread_local".split(" "),
  ..."void char short int long float double signed unsigned _Bool size_t long long __int128 wchar_t va_list".split(" "),
  ...'sizeof sizeof(int) _Alignof(double) _Alignas(16) _Alignas(3) alignas(64) _Static_assert(1,"");'.split(" "),
  ..."__attribute__((packed)) __attribute__((aligned(8))) __attribute__((deprecated)) __declspec(align(8))".split(" "),
  ...'return if else goto 0 1 -1 08 0x 0xG 1.5 1e9 \'a\' L\'a\' u8"x" "text" defined __LINE__ __VA_ARGS__ _Pragma("pack(1)")'.split(
    " ",
  ),
  ..."CUDAAPI CUresult CUdeviceptr CUstream CUDA_SUCCESS CUDA_VERSION __CUDA_API_PTSZ(cuInit) NULL [] [0] [-1] [3] [*] :3 :0".split(
    " ",
  ),
  ..."{} (void) (*) (*x)(int) {int:4;} struct{int_;} =0 /**/ /**< /** \\\n \r \u2028 \u00a0 \ufeff \u201ctext\u201d".split(
    " ",
  ),
  HALF_PAIR,
  "x".repeat(70000),
  "9".repeat(5000),
];

/** Names that mean something to JavaScript, to TypeScript, or to C. */
export const NAMES: readonly string[] = [
  ..."__proto__ constructor prototype toString valueOf hasOwnProperty name length arguments eval undefined NaN".split(
    " ",
  ),
  ..."delete function package default new class await yield let static import export interface type any never".split(
    " ",
  ),
  ..."this null true false in of is as async get set from require module exports process Buffer Symbol Object".split(
    " ",
  ),
  ..."int unsigned struct void _Bool sizeof typedef bool errno stdin main asm near far call out status driver".split(
    " ",
  ),
  ..."cuInit cuFoo_v2 cuFoo_v2_ptsz cu CU _ __ _x $ a A x1 PFN_cuInit PFN_cuInit_v2000 CUresult CUstream_st".split(" "),
];

export const DIRECTIVES: readonly string[] = [
  ..."#|##|#if|#if 0|#if 1|#if 1/0|#if (|#if X(|#if defined|#if 1 +|#ifdef|#ifdef __cplusplus|#ifndef X|#elif 1|#else|#endif".split(
    "|",
  ),
  ..."#define|#define X|#define X X|#define int long|#define CUresult|#define CUDAAPI CUDAAPI CUDAAPI|#define cuInit cuInit_v2".split(
    "|",
  ),
  ..."#define cuInit(x) x|#define F(a|#define F(a,a) a|#define F(...) #__VA_ARGS__|#define F(a) #b|#define F(a) a##|#define F ##a".split(
    "|",
  ),
  ..."#undef|#undef CUDA_VERSION|#undef CUDAAPI|#undef NULL|#define CUDA_VERSION 8000|#define CUDA_VERSION (1<<40)".split(
    "|",
  ),
  ...'#include|#include "cuda.h"|#include <cuda.h>|#include <stdio.h>|#include "nothing.h"|#include NOTHING|#include "|#include <'.split(
    "|",
  ),
  ...'#pragma|#pragma once|#pragma pack(1)|#pragma pack(push, 1)|#error no|#warning no|#line 7|#line 7 "x.h"|#ident "x"|#nonsense|#import <x>'.split(
    "|",
  ),
  ..."#if __CUDA_API_VERSION >= 4000|#if CUDA_VERSION < 9000|#if defined(__CUDA_API_VERSION_INTERNAL)|#elif|#elifdef X|#else x|#endif x".split(
    "|",
  ),
  ...'struct|};|{|}|/*|*/|/**|//|\\|;|;;|extern "C" {|extern "C" int x;|int x;|int x = 3;|int f();|int f(...);|static int x;'.split(
    "|",
  ),
  ..."typedef int CUdevice;|typedef struct T_st T;|struct T_st;|struct T_st { int a; };|struct { int a; };|enum { X };|enum E;|enum E {};".split(
    "|",
  ),
  ..."struct T_st { struct T_st a; };|struct T_st { int a; int a; };|struct T_st { int a : 3; };|struct T_st { int a[]; };|union U { };".split(
    "|",
  ),
  ..."typedef int A_t[3];|typedef int F_t(int);|typedef A A;|typedef B_t C_t; typedef C_t B_t;|typedef long double D_t;|typedef __int128 I_t;".split(
    "|",
  ),
  ..."typedef enum { LOW = -1, HIGH = 0xffffffff } W_t;|typedef enum { ONE = 1, TWO = ONE } P_t;|typedef enum { FAR = 1ull << 40 } Q_t;".split(
    "|",
  ),
  ..."CUresult cuFoo(int a, ...);|CUresult cuFoo(struct Unknown s);|CUresult cuFoo(Unknown a);|CUresult cuFoo(void v);|CUresult cuFoo(int a, int a);".split(
    "|",
  ),
  ..."CUresult CUDAAPI cuFoo(int a[3], int f(int), int (*g)[4], const char *const *s);|CUresult cuFoo_v2(void);|int cuFoo(void);|cuFoo(void);".split(
    "|",
  ),
  ..."CUresult CUDAAPI cuFoo(struct CUuuid_st by_value, float f, double d, _Bool b, signed char c, unsigned short s);|CUresult *cuFoo(void);".split(
    "|",
  ),
  ..."typedef CUresult (CUDAAPI *PFN_cuFoo_v99999999999999999999)(int a);|typedef CUresult (CUDAAPI *PFN_cuInit_v1)(int a);|typedef int PFN_cuInit_v2;".split(
    "|",
  ),
  ..."static inline CUresult cuFoo(int a) { return (CUresult)a; }|static __inline__ int f(void) { while (1) { } }|typedef void (*cb)(cb);".split(
    "|",
  ),
  "#define BIG_0 x x\n" +
    Array.from({ length: 40 }, (_, i) => `#define BIG_${i + 1} BIG_${i} BIG_${i}\n`).join("") +
    "typedef int BIG_40;",
  "#define SUM_0 1+1\n" +
    Array.from({ length: 40 }, (_, i) => `#define SUM_${i + 1} SUM_${i}+SUM_${i}\n`).join("") +
    "#define SUM SUM_40",
  "#define LOOP(x) LOOP(x) x LOOP(LOOP(x))\ntypedef int LOOP(LOOP(LOOP(a)));",
  `typedef struct W0_st { int a[0x7fffffff]; } W0;\n${Array.from(
    { length: 12 },
    (_, i) => `typedef struct W${i + 1}_st { W${i} a[0x7fffffff]; } W${i + 1};\n`,
  ).join("")}`,
  `typedef ${"struct { ".repeat(100)}int a;${Array.from({ length: 100 }, (_, i) => `} m${i};`)
    .join("")
    .slice(0, -1)};`,
];
