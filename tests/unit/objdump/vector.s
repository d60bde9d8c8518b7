# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# vector.s - vector instructions as the assembler encodes them: VEX, EVEX, XOP, and the
# legacy SSE, AES, SHA, BMI and x87 families.  Each shape runs over register, memory with
# SIB, scaled 8-bit displacement, rip-relative and broadcast operands, masks and rounding.
	.text

	.irp op, vaddps, vmulps, vsubps, vdivps, vminps, vmaxps, vandps, vandnps, vorps, vxorps, vunpcklps, vunpckhps, vpaddd, vpsubd, vpmulld, vpminsd, vpmaxud, vfmadd132ps, vfmadd213ps, vfmadd231ps, vfnmadd231ps, vfmsub213ps, vfnmsub132ps, vfmaddsub213ps, vpunpckldq, vpackssdw, vpsllvd, vpsrlvd, vpsravd
	\op %xmm1, %xmm2, %xmm3
	\op (%rax), %ymm12, %ymm3
	\op 0x1234(%r13,%r14,8), %ymm2, %ymm13
	\op sym(%rip), %ymm9, %ymm10
	\op %zmm1, %zmm22, %zmm31{%k1}{z}
	\op 0x40(%rax,%r9,4), %zmm17, %zmm18
	\op 0x41(%rax,%r9,4), %zmm17, %zmm18
	\op sym(%rip), %zmm17, %zmm18{%k7}
	\op 4(%rsp){1to16}, %zmm17, %zmm18
	\op (%r12){1to4}, %xmm17, %xmm18
	.endr

	vpermd (%rax), %ymm12, %ymm3
	vpermps %zmm1, %zmm22, %zmm31{%k1}{z}

	.irp op, vsqrtpd, vcvtps2dq, vcvtdq2ps, vpabsd, vrcp14ps, vrsqrt14pd, vgetexpps, vpopcntd, vpopcntq, vplzcntd, vpconflictq
	\op %zmm1, %zmm31{%k1}
	\op 0x80(%rax), %zmm18
	\op sym(%rip), %zmm18
	.endr
	vaddpd {rn-sae}, %zmm1, %zmm2, %zmm3
	vmulpd {ru-sae}, %zmm1, %zmm2, %zmm3{%k3}{z}
	vcmpps $3, {sae}, %zmm1, %zmm2, %k4{%k1}
	vcmppd $17, sym(%rip), %zmm2, %k4

	.irp op, vpshufd, vpermilps, vprold, vprorq, vpsrld, vpslld, vpsraq, vpsrldq, vpslldq, vrndscaleps, vreduceps, vgetmantpd, vpshufhw, vpshuflw
	\op $7, %zmm1, %zmm2
	\op $7, 0x40(%rdx), %zmm2
	\op $7, sym(%rip), %zmm18
	.endr
	.irp op, vshufps, vshufi32x4, vpternlogd, valignd, vpalignr, vdbpsadbw, vrangeps, vfixupimmps, vpshldd, vpshrdq, vgf2p8affineqb
	\op $9, %zmm1, %zmm2, %zmm3
	\op $9, 0x40(%rdx,%rcx), %zmm2, %zmm3
	\op $9, sym(%rip), %zmm2, %zmm3
	.endr
	.irp op, vpcmpd, vpcmpub, vpcmpw, vpcmpuq
	\op $2, %zmm1, %zmm2, %k3
	\op $2, sym(%rip), %zmm2, %k3{%k1}
	.endr

	.irp op, vmovaps, vmovups, vmovapd, vmovdqa32, vmovdqu64, vmovdqu8, vmovdqu16
	\op %zmm3, (%rdi)
	\op (%rdi), %zmm30
	\op %zmm3, sym(%rip)
	\op %zmm3, 0x40(%rdi){%k1}
	.endr
	.irp op, vmovntps, vmovntdq
	\op %ymm1, 64(%rdx)
	\op %zmm1, 64(%rdx)
	.endr
	vpgatherdd 4(%rax,%zmm2,4), %zmm1{%k1}
	vpgatherqq (%rax,%ymm20,8), %ymm1{%k1}
	vgatherdps (%rax,%zmm2,4), %zmm1{%k1}
	vgatherqpd (%rax,%xmm2,8), %xmm1{%k1}
	vpscatterdd %zmm1, 64(%rax,%zmm2,4){%k1}
	vscatterqpd %zmm1, (%rax,%zmm2,8){%k1}
	vpgatherdd %xmm1, 8(%rax,%xmm2,4), %xmm3
	vgatherqpd %ymm1, (,%ymm2,8), %ymm3
	vpcompressd %zmm1, 4(%rdx){%k1}
	vpexpandb (%rdx), %zmm1{%k1}
	vpmovzxbw (%rdx), %zmm1
	vpmovsxdq sym(%rip), %zmm1
	vpmovdb %zmm1, 16(%rdx)
	vpbroadcastd %eax, %zmm4
	vpbroadcastq sym(%rip), %zmm4
	vbroadcastf32x4 (%rax), %zmm4
	vextracti64x4 $1, %zmm1, 32(%rax)
	vinserti32x8 $1, 32(%rax), %zmm1, %zmm2
	vpermt2d %zmm1, %zmm2, %zmm3
	vpermi2b (%rax), %zmm2, %zmm3
	vpdpbusd (%rax), %zmm2, %zmm3
	vpmadd52luq sym(%rip), %zmm2, %zmm3
	vp2intersectd %zmm1, %zmm2, %k2
	vdpbf16ps (%rax){1to16}, %zmm2, %zmm3
	vaddph %zmm1, %zmm2, %zmm3
	vfmadd132ph 0x40(%rax), %zmm2, %zmm3
	vcvtph2ps (%rax), %zmm1
	vcvtps2ph $4, %zmm1, (%rax)
	vcmpph $1, (%rax){1to32}, %zmm1, %k1
	vaesenc (%rax), %zmm2, %zmm3
	vpclmulqdq $17, sym(%rip), %zmm2, %zmm3
	vpmultishiftqb (%rax), %zmm2, %zmm3
	.irp op, kandw, korb, kxorq, kaddd, kunpckbw, kandnq
	\op %k1, %k2, %k3
	.endr
	kmovq %rax, %k1
	kmovd %k1, %eax
	kmovw (%rax), %k1
	kmovb %k1, sym(%rip)
	kortestw %k1, %k2
	kshiftrq $3, %k1, %k2

	vzeroupper
	vzeroall
	vldmxcsr (%rax)
	vpalignr $3, (%rax), %xmm1, %xmm2
	vpblendvb %xmm1, sym(%rip), %xmm3, %xmm4
	vblendvps %ymm1, (%rax), %ymm3, %ymm4
	vperm2i128 $1, (%rax), %ymm1, %ymm2
	vpermq $27, sym(%rip), %ymm1
	vpmaskmovd (%rax), %ymm1, %ymm2
	vtestps (%rax), %ymm1
	vpextrb $1, %xmm1, (%rax)
	vpinsrw $1, 2(%rax), %xmm1, %xmm2
	vmaskmovdqu %xmm1, %xmm2
	vcvttsd2si (%rax), %rdx
	vroundsd $1, (%rax), %xmm1, %xmm2
	vpcmpestri $1, (%rax), %xmm1
	.irp op, andn, pdep, pext, mulx
	\op (%rax), %rbx, %r12
	\op %eax, %ebx, %r12d
	.endr
	.irp op, bextr, bzhi, sarx, shlx, shrx
	\op %rbx, (%rax), %r12
	.endr
	.irp op, blsi, blsr, blsmsk, tzcnt, lzcnt, popcnt
	\op sym(%rip), %r12
	.endr
	rorx $3, sym(%rip), %r12
	adcx (%rax), %r12
	adox (%rax), %r12

	vfrczps (%rax), %ymm1
	vpcomb $1, (%rax), %xmm1, %xmm2
	vpermil2ps $1, %ymm1, sym(%rip), %ymm2, %ymm3
	vprotd $3, (%rax), %xmm1
	vpshad (%rax), %xmm1, %xmm2
	vfmaddps (%rax), %ymm1, %ymm2, %ymm3
	vfmsubsd %xmm1, (%rax), %xmm2, %xmm3
	bextr $0x12345678, sym(%rip), %r12
	blcfill (%rax), %r12
	tzmsk (%rax), %r12
	llwpcb %rax
	lwpins $0x12345678, (%rax), %rcx

	extrq $1, $2, %xmm1
	extrq %xmm1, %xmm2
	insertq $1, $2, %xmm1, %xmm2
	insertq %xmm1, %xmm2
	movntsd %xmm1, (%rax)
	pfadd sym(%rip), %mm1
	pfmul 8(%rax,%rcx), %mm1
	femms
	aesenc sym(%rip), %xmm1
	aeskeygenassist $1, sym(%rip), %xmm1
	pclmulqdq $17, 8(%rax), %xmm12
	sha1rnds4 $1, sym(%rip), %xmm1
	sha256rnds2 (%rax), %xmm2
	gf2p8affineqb $1, (%rax), %xmm1
	pcmpistrm $1, sym(%rip), %xmm1
	crc32b sym(%rip), %eax
	crc32q (%rax), %rax
	movbe sym(%rip), %r9
	invpcid (%rax), %r9
	movdir64b (%rax), %rcx
	movdiri %rax, (%rcx)
	enqcmds (%rax), %rcx
	wrussq %rax, (%rcx)
	wrssd %eax, (%rcx)
	incsspq %rax
	rdsspq %rax
	tpause %eax
	umwait %eax
	umonitor %rax
	ptwriteq (%rax)
	xsavec64 (%rax)
	xrstors64 (%rax)
	clwb sym(%rip)
	clflushopt 1(%rax)
	cldemote (%rax)
	rdpid %rax
	rdseed %r11
	serialize
	hreset $1
	wrmsrns
	tileloadd 16(%rax,%rbx,2), %tmm3
	tdpbf16ps %tmm1, %tmm2, %tmm3
	tilerelease
	ldtilecfg sym(%rip)
	.irp op, fld, fadd, fdiv, fst, fcom
	\op\()s (%rax)
	\op\()l sym(%rip)
	\op %st(3)
	.endr
	fcmovbe %st(2), %st
	fnstenv sym(%rip)
	fxsave64 (%rax)
	fildll 4(%rsp)
	fistpll sym(%rip)
	fucomip %st(1), %st
	movabs %al, 0x1122334455667788
	movabs 0x1122334455667788, %rax
	addr32 movabs 0x11223344, %eax
	movabs $0x1122334455667788, %r12
	movw $0x1234, sym(%rip)
	movl $0x12345678, sym+4(%rip)
	movq $0x12345678, 8(%rsp,%r12,2)
	testw $0x1234, sym(%rip)
	testb $0x12, sym(%rip)
	testq $0x12345678, sym(%rip)
	imul $0x1234, sym(%rip), %ax
	imul $0x12345678, sym(%rip), %rax
	shld $3, %rax, sym(%rip)
	btsl $3, sym(%rip)
	cmpxchg16b sym(%rip)
	enter $0x1234, $3
	pushw $0x1234
	push $0x12345678
	push $0x12
	jrcxz .
	jecxz .
	loopne .
	xbegin .
	xabort $1
sym:
	.quad 0
