//! Special functions with differential equations of their own: values by mpmath, images of intervals, equations at points and on boxes,
//! and programs with closed forms. Those of the families Γ and Jₙ have files of their own.

use crate::containment::sample::Random;
use crate::ends::{ask_within, number};
use rug::Float;
use smoothish::function::SpecialId;
use smoothish::number::{Context, Double, Enclosure, Function, Mpfr, Rational};

/// The functions tried here.
const FUNCTIONS: &[Function] =
    &[Function::SIN_INTEGRAL, Function::EXP_INTEGRAL_E1, Function::BESSEL_K0, Function::AIRY_AI, Function::LAMBERT_W];

/// Returns the derivative of a function of an order.
fn derivative(f: Function, order: u16) -> Function {
    let Function::Special(id, 0) = f else { panic!("{f} is no special function") };
    Function::Special(id, order)
}

/// Runs a check in both tiers.
macro_rules! in_both_tiers {
    ($check:ident) => {
        $check(&Double);
        $check(&Mpfr::new(64));
        $check(&Mpfr::new(200));
    };
}

/// The function, the order of the derivative, x, and the value by mpmath 1.4 with 60 digits or more, 40 of which are given: the function by
/// its definition there, derivatives by recurrences.
const VALUES: &[(&str, u16, &str, &str)] = &[
    ("sinIntegral", 0, "0.5", "0.4931074180430666891616267075727646536413"),
    ("sinIntegral", 0, "-2", "-1.605412976802694848576720148198588940849"),
    ("sinIntegral", 0, "3.141592653589793", "1.851937051982466170361053370157982313090"),
    ("sinIntegral", 0, "4.493409457909064", "1.655572091392869113500783052844597270971"),
    ("sinIntegral", 0, "30", "1.566756540030351110983731309006798166523"),
    ("sinIntegral", 0, "-74.5", "-1.562577694554549580123268906475531668480"),
    ("sinIntegral", 0, "100.25", "1.561241881980372442773477042235106019003"),
    ("sinIntegral", 0, "1e-30", "1.000000000000000000000000000000000000000e-30"),
    ("sinIntegral", 0, "1e20", "1.570796326794896619223681987595334159095"),
    ("sinIntegral", 1, "0.5", "0.9588510772084060005465758704311427761636"),
    ("sinIntegral", 1, "-2", "0.4546487134128408476980099329558724213511"),
    ("sinIntegral", 1, "3.141592653589793", "7.590501687441756799486117486759340498915e-17"),
    ("sinIntegral", 1, "4.493409457909064", "-0.2172336282112216574082793255624673961185"),
    ("sinIntegral", 1, "30", "-0.03293438746976205966625829690981527168289"),
    ("sinIntegral", 1, "-74.5", "-0.01049961744971197812986167568075454488880"),
    ("sinIntegral", 1, "100.25", "-0.002765913780098267365123910793211330542087"),
    ("sinIntegral", 1, "1e-30", "1.000000000000000000000000000000000000000"),
    ("sinIntegral", 1, "1e20", "-6.452512852657808442058117113125230074069e-21"),
    ("sinIntegral", 2, "0.5", "-0.1625370306360665688605885756546262483439"),
    ("sinIntegral", 2, "-2", "0.4353977749799916173477890812283173055586"),
    ("sinIntegral", 2, "3.141592653589793", "-0.3183098861837907198604020908941543263312"),
    ("sinIntegral", 2, "4.493409457909064", "-3.808276702785393119089969516343433883742e-17"),
    ("sinIntegral", 2, "30", "0.006239527911911537012830681450800848948080"),
    ("sinIntegral", 2, "-74.5", "-0.008503356224744651871850691787612323012103"),
    ("sinIntegral", 2, "100.25", "0.009611513666395605693840084510276920864498"),
    ("sinIntegral", 2, "1e-30", "-3.333333333333333333333333333333333333333e-31"),
    ("sinIntegral", 2, "1e20", "7.639704044417283004065993155905389312765e-21"),
    ("sinIntegral", 7, "0.5", "-0.1292033334978327788038214026266183187586"),
    ("sinIntegral", 7, "-2", "0.02518950316150350517168602333860749485365"),
    ("sinIntegral", 7, "3.141592653589793", "0.1249254920649200496219100925535058458555"),
    ("sinIntegral", 7, "4.493409457909064", "0.08690508198222598798475510307511128130249"),
    ("sinIntegral", 7, "30", "0.03084553625214379925367562394666054588426"),
    ("sinIntegral", 7, "-74.5", "0.009771928578114775369094289456237053530994"),
    ("sinIntegral", 7, "100.25", "0.002185206628806565518892815773990308160664"),
    ("sinIntegral", 7, "1e-30", "-0.1428571428571428571428571428571428571429"),
    ("sinIntegral", 7, "1e20", "6.452512852657808441599734870460193093810e-21"),
    ("expIntegralE1", 0, "1e-30", "68.50033712491983765993323155044952379699"),
    ("expIntegralE1", 0, "0.125", "1.623425640584168791456306924624408873633"),
    ("expIntegralE1", 0, "1", "0.2193839343955202736771637754601216490310"),
    ("expIntegralE1", 0, "2.5", "0.02491491787026973549562801227460963594585"),
    ("expIntegralE1", 0, "20", "9.835525290649881690396987108894776074356e-11"),
    ("expIntegralE1", 0, "70.25", "4.346213527966322457210066984783439413282e-33"),
    ("expIntegralE1", 0, "100", "3.683597761682032180235192620508118987655e-46"),
    ("expIntegralE1", 0, "745", "3.783318751234276793493002068553569939760e-327"),
    ("expIntegralE1", 1, "1e-30", "-9.999999999999999999999999999990000000000e+29"),
    ("expIntegralE1", 1, "0.125", "-7.059975220676763222919137145832405889776"),
    ("expIntegralE1", 1, "1", "-0.3678794411714423215955237701614608674458"),
    ("expIntegralE1", 1, "2.5", "-0.03283399944955951806781146978686392313512"),
    ("expIntegralE1", 1, "20", "-1.030576811219278913982970190077910488188e-10"),
    ("expIntegralE1", 1, "70.25", "-4.407236110158952049799936292670372344312e-33"),
    ("expIntegralE1", 1, "100", "-3.720075976020835962959695803863118337359e-46"),
    ("expIntegralE1", 1, "745", "-3.788390242244210840742872593368835732650e-327"),
    ("expIntegralE1", 2, "1e-30", "1.000000000000000000000000000000000000000e+60"),
    ("expIntegralE1", 2, "0.125", "63.53977698609086900627223431249165300798"),
    ("expIntegralE1", 2, "1", "0.7357588823428846431910475403229217348916"),
    ("expIntegralE1", 2, "2.5", "0.04596759922938332529493605770160949238917"),
    ("expIntegralE1", 2, "20", "1.082105651780242859682118699581806012597e-10"),
    ("expIntegralE1", 2, "70.25", "4.469972567243065246238369549505537786935e-33"),
    ("expIntegralE1", 2, "100", "3.757276735781044322589292761901749520732e-46"),
    ("expIntegralE1", 2, "745", "3.793475329817693002945212019668659673231e-327"),
    ("expIntegralE1", 7, "1e-30", "-7.200000000000000000000000000000000000000e+212"),
    ("expIntegralE1", 7, "0.125", "-1509949439.871931449687410295682281789205"),
    ("expIntegralE1", 7, "1", "-719.9400663725126233624400182059789175915"),
    ("expIntegralE1", 7, "2.5", "-1.162911965784543046164301211993563480486"),
    ("expIntegralE1", 7, "20", "-1.435064039191691622636218723843376783532e-10"),
    ("expIntegralE1", 7, "70.25", "-4.812038735908043890583623485687472693752e-33"),
    ("expIntegralE1", 7, "100", "-3.954900834424709780186369684336931130965e-46"),
    ("expIntegralE1", 7, "745", "-3.819106640180225830639208994019272232550e-327"),
    ("besselK0", 0, "1e-30", "69.19348430547978296935046367190670036507"),
    ("besselK0", 0, "0.125", "2.207869086744970060007612144849820586385"),
    ("besselK0", 0, "1", "0.4210244382407083333356273792126090361362"),
    ("besselK0", 0, "2.5", "0.06234755320036618602916952947601392599601"),
    ("besselK0", 0, "20", "5.741237815336524292716702061622973781364e-10"),
    ("besselK0", 0, "37.25", "1.360156939621782141725069460706307049321e-17"),
    ("besselK0", 0, "60", "1.413897840559107809095646298241701203162e-27"),
    ("besselK0", 0, "745", "1.295746262605815280577197292599560802310e-325"),
    ("besselK0", 1, "1e-30", "-1.000000000000000000000000000000000000000e+30"),
    ("besselK0", 1, "0.125", "-7.831118299115751163464338156997980076835"),
    ("besselK0", 1, "1", "-0.6019072301972345747375400015356173392616"),
    ("besselK0", 1, "2.5", "-0.07389081634774706364899354059121758210198"),
    ("besselK0", 1, "20", "-5.883057969557038177650282171542810542332e-10"),
    ("besselK0", 1, "37.25", "-1.378294707267763457954202603441737728468e-17"),
    ("besselK0", 1, "60", "-1.425632026517104323214388610429217409151e-27"),
    ("besselK0", 1, "745", "-1.296615599539269141063059446622131142099e-325"),
    ("besselK0", 2, "1e-30", "1.000000000000000000000000000000000000000e+60"),
    ("besselK0", 2, "0.125", "64.85681547967097936772231740083366120106"),
    ("besselK0", 2, "1", "1.022931668437942908073167380748226375398"),
    ("besselK0", 2, "2.5", "0.09190387973946501148876694571250095883680"),
    ("besselK0", 2, "20", "6.035390713814376201599216170200114308481e-10"),
    ("besselK0", 2, "37.25", "1.397158139816889885562766174892662424582e-17"),
    ("besselK0", 2, "60", "1.437658374334392881149219441748854826648e-27"),
    ("besselK0", 2, "745", "1.297486686229357923719563815346704602501e-325"),
    ("besselK0", 7, "1e-30", "-7.200000000000000000000000000000000000000e+212"),
    ("besselK0", 7, "0.125", "-1510343042.412199740163361363596165429257"),
    ("besselK0", 7, "1", "-732.8740270546869353573868564190730317951"),
    ("besselK0", 7, "2.5", "-1.340487298006518766614774252193767936861"),
    ("besselK0", 7, "20", "-7.009230450008527417061351571124172276550e-10"),
    ("besselK0", 7, "37.25", "-1.504224093136137782391515297445138923652e-17"),
    ("besselK0", 7, "60", "-1.502622686036307741867256268088564143042e-27"),
    ("besselK0", 7, "745", "-1.301868572437210824631171674911071666013e-325"),
    ("airyAi", 0, "0", "0.3550280538878172392600631860041831763980"),
    ("airyAi", 0, "1e-30", "0.3550280538878172392600631860039243569942"),
    ("airyAi", 0, "0.5", "0.2316936064808334897691252545099217396184"),
    ("airyAi", 0, "-2.338107410459767", "2.698904167124714887858550647672201689291e-17"),
    ("airyAi", 0, "-1.0187929716474711", "0.5356566560156998611448602006953228219574"),
    ("airyAi", 0, "3", "0.006591139357460719144257448407961351071733"),
    ("airyAi", 0, "10", "1.104753255289868593355020565799224106877e-10"),
    ("airyAi", 0, "40", "6.365742658552914909567364686554155772682e-75"),
    ("airyAi", 0, "-7.5", "0.3217757163806478752673285436797523699195"),
    ("airyAi", 0, "-30.25", "-0.2369004284915597311198069023814335703003"),
    ("airyAi", 0, "-200", "0.1488939424838102511513141000040911644742"),
    ("airyAi", 1, "0", "-0.2588194037928067984051835601892039634791"),
    ("airyAi", 1, "1e-30", "-0.2588194037928067984051835601892039634791"),
    ("airyAi", 1, "0.5", "-0.2249105326646838931359969903285832148250"),
    ("airyAi", 1, "-2.338107410459767", "0.7012108227206913624906916560315374878562"),
    ("airyAi", 1, "-1.0187929716474711", "5.993501063148572423945350930614965378233e-18"),
    ("airyAi", 1, "3", "-0.01191297670595131847376323259302228726039"),
    ("airyAi", 1, "10", "-3.520633676738923636620644825279347270308e-10"),
    ("airyAi", 1, "40", "-4.030017977600678042292694418417540525338e-74"),
    ("airyAi", 1, "-7.5", "0.3188095066985545962100629060793730039316"),
    ("airyAi", 1, "-30.25", "-0.2321973323726892749173641388708401234283"),
    ("airyAi", 1, "-200", "-0.2600066454334060227629078515692441970190"),
    ("airyAi", 2, "0", "0.0"),
    ("airyAi", 2, "1e-30", "3.550280538878172392600631860039243569942e-31"),
    ("airyAi", 2, "0.5", "0.1158468032404167448845626272549608698092"),
    ("airyAi", 2, "-2.338107410459767", "-6.310327833275041345645825091028736276374e-17"),
    ("airyAi", 2, "-1.0187929716474711", "-0.5457232363649820884728663916113540970765"),
    ("airyAi", 2, "3", "0.01977341807238215743277234522388405321520"),
    ("airyAi", 2, "10", "1.104753255289868593355020565799224106877e-9"),
    ("airyAi", 2, "40", "2.546297063421165963826945874621662309073e-73"),
    ("airyAi", 2, "-7.5", "-2.413317872854859064504964077598142774396"),
    ("airyAi", 2, "-30.25", "7.166237961869681866374158797038365501583"),
    ("airyAi", 2, "-200", "-29.77878849676205023026282000081823289484"),
    ("airyAi", 7, "0", "-2.588194037928067984051835601892039634791"),
    ("airyAi", 7, "1e-30", "-2.588194037928067984051835601892039634791"),
    ("airyAi", 7, "0.5", "-1.755908528648049066021437704429581135962"),
    ("airyAi", 7, "-2.338107410459767", "-1.950656278800550274365567835809623313101"),
    ("airyAi", 7, "-1.0187929716474711", "5.003810979060198351393874647888244770729"),
    ("airyAi", 7, "3", "0.09310214983411946715561371510304480817604"),
    ("airyAi", 7, "10", "-2.561562083745431138967332764312839046822e-7"),
    ("airyAi", 7, "40", "-2.487947813179032040173783645742687847142e-69"),
    ("airyAi", 7, "-7.5", "31.58929084623581254006541579643288127745"),
    ("airyAi", 7, "-30.25", "4474.040653049342602909844926463915339408"),
    ("airyAi", 7, "-200", "2133652.382694965538457508259476910702921"),
    ("lambertW", 0, "0", "0.0"),
    ("lambertW", 0, "-0.367879441171442", "-0.9999999581864317712633743442169513705482"),
    ("lambertW", 0, "-0.25", "-0.3574029561813889030688111040559047533166"),
    ("lambertW", 0, "1e-30", "9.999999999999999999999999999990000000000e-31"),
    ("lambertW", 0, "0.5", "0.3517337112491958260249093009299510651715"),
    ("lambertW", 0, "1", "0.5671432904097838729999686622103555497538"),
    ("lambertW", 0, "2.718281828459045", "0.9999999999999999567078944855443810498376"),
    ("lambertW", 0, "100", "3.385630140290050184888244364529726867492"),
    ("lambertW", 0, "1e20", "42.30675509173839385177115930518188403470"),
    ("lambertW", 1, "0", "1.000000000000000000000000000000000000000"),
    ("lambertW", 1, "-0.367879441171442", "65009561.00966837586605891781886048884109"),
    ("lambertW", 1, "-0.25", "2.224740743017017201317211386779788810505"),
    ("lambertW", 1, "1e-30", "0.9999999999999999999999999999980000000000"),
    ("lambertW", 1, "0.5", "0.5204186421068738875679593956681137571444"),
    ("lambertW", 1, "1", "0.3618962566348892214775926144801196855561"),
    ("lambertW", 1, "2.718281828459045", "0.1839397205857211727424685729255180607877"),
    ("lambertW", 1, "100", "0.007719825958844163931757050895876812090186"),
    ("lambertW", 1, "1e20", "9.769089141432633114346797168924814746766e-21"),
    ("lambertW", 2, "0", "-2.000000000000000000000000000000000000000"),
    ("lambertW", 2, "-0.367879441171442", "-1.010734883056353158548858789495803652680e+23"),
    ("lambertW", 2, "-0.25", "-12.65176540261309694981502168372891473681"),
    ("lambertW", 2, "1e-30", "-1.999999999999999999999999999991000000000"),
    ("lambertW", 2, "0.5", "-0.4711971881257444258015454616623552526248"),
    ("lambertW", 2, "1", "-0.2145406462821437058451995835886185385292"),
    ("lambertW", 2, "2.718281828459045", "-0.05075073121372976641775217764313807712044"),
    ("lambertW", 2, "100", "-7.318457257186316112760510558775944713716e-5"),
    ("lambertW", 2, "1e20", "-9.763880280236981709053056220834198792623e-41"),
    ("lambertW", 7, "0", "117649.0000000000000000000000000000000000"),
    ("lambertW", 7, "-0.367879441171442", "9.544689254192450495770982358785541880894e+102"),
    ("lambertW", 7, "-0.25", "200541965.7532010730497146515444711257949"),
    ("lambertW", 7, "1e-30", "117648.9999999999999999999999979028480000"),
    ("lambertW", 7, "0.5", "415.3609996540897041037422380779557374816"),
    ("lambertW", 7, "1", "20.46801023548296064857663878787314426279"),
    ("lambertW", 7, "2.718281828459045", "0.09064888159901714178303282604195521023746"),
    ("lambertW", 7, "100", "4.617146470008564470734615249284087538123e-12"),
    ("lambertW", 7, "1e20", "7.024167056411382508134425906736541381134e-138"),
];

#[test]
fn values_are_enclosed_and_narrow() {
    fn check<C: Context>(c: &C) {
        for (name, order, x, y) in VALUES {
            let id = SpecialId::ALL.iter().find(|id| Function::Special(**id, 0).name() == *name).expect(name);
            let (x, y) = (number(x), number(y));
            let value = c.to_enclosure(&c.apply_function(Function::Special(*id, *order), &c.enclose_rational(&x)));
            let error = Rational::from(y.abs_ref()) * number("1e-38");
            let (least, greatest) = (Rational::from(&y - &error), Rational::from(&y + &error));
            assert!(
                value.is_defined() && *value.lo() <= greatest && *value.hi() >= least,
                "{name} {order} {x}: {value:?}"
            );
            // the argument may be rounded, and moves the value by its slope
            let slope = c.apply_function(Function::Special(*id, order + 1), &c.enclose_rational(&x));
            let (slope, rounding) =
                (c.magnitude(&slope).to_f64(), x.to_f64().abs() * 4.0 * 0.5_f64.powi(c.precision() as i32));
            let width =
                (y.to_f64().abs() * 16.0).mul_add(0.5_f64.powi(c.precision().min(120) as i32), slope * rounding);
            let width = Rational::from_f64(width.max(1e-300)).expect("a finite width");
            assert!(value.has_width_at_most(&width), "{name} {order} {x}: {value:?}");
        }
    }
    in_both_tiers!(check);
}

/// Draws a number of the domain, of moderate size.
fn draw(f: Function, random: &mut Random) -> f64 {
    if f.is_total() { 30.0 * random.unit() - 15.0 } else { 12.0 * random.unit() + 1e-3 }
}

/// The differential equation of each function, as a number that is 0; and with a wrong sign.
#[test]
fn the_differential_equations_hold() {
    fn residual<C: Context>(c: &C, f: Function, x: &C::Num, y: impl Fn(u16) -> C::Num) -> C::Num {
        match f {
            // x y′ = sin x
            Function::SIN_INTEGRAL => c.sub(&c.mul(x, &y(1)), &c.apply_function(Function::Sin, x)),
            // x y″ + (1 + x) y′ = 0
            Function::EXP_INTEGRAL_E1 => c.add(&c.mul(x, &y(2)), &c.mul(&c.add(&c.enclose_integer(1), x), &y(1))),
            // x y″ + y′ = x y
            Function::BESSEL_K0 => c.sub(&c.add(&c.mul(x, &y(2)), &y(1)), &c.mul(x, &y(0))),
            // y″ = x y
            Function::AIRY_AI => c.sub(&y(2), &c.mul(x, &y(0))),
            // (x + eʸ) y′ = 1
            Function::LAMBERT_W => {
                let factor = c.add(x, &c.apply_function(Function::Exp, &y(0)));
                c.sub(&c.mul(&factor, &y(1)), &c.enclose_integer(1))
            }
            _ => panic!("{f} has no equation here"),
        }
    }
    fn check<C: Context>(c: &C) {
        let mut random = Random::new(31);
        for f in FUNCTIONS {
            for round in 0..60 {
                let x = c.enclose_rational(&Rational::from_f64(draw(*f, &mut random)).unwrap());
                let small = c.div(
                    &c.hull(&c.enclose_integer(0), &c.enclose_integer(1)),
                    &c.enclose_integer(1 << (3 + round % 25)),
                );
                let x = if round % 3 == 0 { c.add(&x, &small) } else { x };
                let y = |order| c.apply_function(derivative(*f, order), &x);
                let right = c.to_enclosure(&residual(c, *f, &x, y));
                assert!(right.is_defined() && *right.lo() <= 0 && *right.hi() >= 0, "{f} {x:?}: {right:?}");
                if round % 3 != 0 {
                    let narrow = Rational::from(1) >> (c.precision() / 2);
                    assert!(right.has_width_at_most(&narrow), "{f} {x:?}: {right:?}");
                    // the slope with the wrong sign
                    let wrong = |order| if order == 1 { c.neg(&y(1)) } else { y(order) };
                    let wrong =
                        |order: u16| if *f == Function::AIRY_AI && order == 2 { c.neg(&y(2)) } else { wrong(order) };
                    let wrong = c.to_enclosure(&residual(c, *f, &x, wrong));
                    assert!(*wrong.lo() > 0 || *wrong.hi() < 0, "{f} {x:?}: {wrong:?}");
                }
            }
        }
    }
    in_both_tiers!(check);
}

/// The image of an interval contains the values at points inside, and little else if the interval is narrow.
#[test]
fn images_of_intervals_contain_the_values() {
    fn check<C: Context>(c: &C) {
        let exact = Mpfr::new(300);
        let mut random = Random::new(7);
        for f in FUNCTIONS {
            for _ in 0..24 {
                let lo = draw(*f, &mut random);
                let width = 4.0 * 0.5_f64.powi(random.below(40) as i32);
                let f = derivative(*f, [0, 0, 1, 2, 5][random.below(5) as usize]);
                let ends = [lo, lo + width].map(|x| Float::with_val(53, x));
                let image = c.apply_function(
                    f,
                    &c.round_enclosure(&Enclosure::new(ends[0].clone(), ends[1].clone(), true).unwrap()),
                );
                let image = c.to_enclosure(&image);
                let (mut least, mut greatest): (Option<Float>, Option<Float>) = (None, None);
                for i in 0..=16 {
                    let x = Float::with_val(53, lo + (ends[1].to_f64() - lo) * f64::from(i) / 16.0).min(&ends[1]);
                    let y = exact
                        .to_enclosure(&exact.apply_function(f, &exact.enclose_rational(&x.to_rational().unwrap())));
                    assert!(*image.lo() <= *y.hi() && *image.hi() >= *y.lo(), "{f} {ends:?} {x}: {y:?} {image:?}");
                    least = Some(least.map_or_else(|| y.lo().clone(), |least| least.min(y.lo())));
                    greatest = Some(greatest.map_or_else(|| y.hi().clone(), |greatest| greatest.max(y.hi())));
                }
                // between samples a smooth function may exceed them by a part of its spread
                let (least, greatest) = (least.unwrap().to_f64(), greatest.unwrap().to_f64());
                let spread = 1.5 * (greatest - least) + 1e-13 * (1.0 + least.abs().max(greatest.abs()));
                assert!(image.has_width_at_most(&Rational::from_f64(spread).unwrap()), "{f} {ends:?}: {image:?}");
            }
        }
    }
    in_both_tiers!(check);
}

/// Outside of the domain nothing is defined; a huge order or argument takes no time.
#[test]
fn edges_are_met() {
    fn check<C: Context>(c: &C) {
        for f in FUNCTIONS {
            for order in [0, 1, 2, 5, 1000, 5000, u16::MAX] {
                let f = derivative(*f, order);
                for x in ["1e300", "1e15", "1e-300", "4095", "0.5"] {
                    let value = c.to_enclosure(&c.apply_function(f, &c.enclose_rational(&number(x))));
                    assert!(value.is_defined(), "{f} {x}: {value:?}");
                }
                for x in ["-1", "-4000.5"] {
                    let value = c.to_enclosure(&c.apply_function(f, &c.enclose_rational(&number(x))));
                    assert_eq!(value.is_defined(), f.is_total(), "{f} {x}: {value:?}");
                }
                let line = Enclosure::new(Float::with_val(53, 3), Float::with_val(53, f64::INFINITY), true).unwrap();
                let value = c.to_enclosure(&c.apply_function(f, &c.round_enclosure(&line)));
                assert!(value.is_defined(), "{f}: {value:?}");
            }
        }
    }
    in_both_tiers!(check);
}

/// Derivatives, roots, extremes and integrals as programs: closed forms, or by mpmath.
#[test]
fn programs_have_their_values() {
    for (program, value) in [
        ("deriv sinIntegral 2", "0.4546487134128408476980099329558724213511"),
        ("nthDeriv 3 sinIntegral 1", "-0.23913362692838292814937089325565"),
        (r"root 0 2 (\x => sinIntegral x - 1)", "1.0648397255365608896219667487735"),
        (r"max01 (\x => sinIntegral (6 * x))", "1.851937051982466170361053370158"),
        (r"beyond 1 (\x => exp (-x) * sinIntegral x)", "0.52736904626780057043257498954055"),
        ("integral01 sinIntegral", "0.48638537623532273234228992126616"),
        ("nthDeriv 3 expIntegralE1 1", "-1.839397205857211607977618850807304337229"),
        ("beyond 0 expIntegralE1", "1"),
        (r"beyond 0 (\x => expIntegralE1 x * exp (-x))", "0.6931471805599453094172321214581765680755"),
        (r"deriv (\c => beyond 0 (\x => expIntegralE1 (c * x))) 2", "-0.25"),
        ("deriv besselK0 1", "-0.60190723019723457473754000153562"),
        ("nthDeriv 3 besselK0 1", "-2.2267461288324120575482473838195"),
        ("beyond 0 besselK0", "1.570796326794896619231321691639751442099"),
        (r"beyond 0 (\x => x * besselK0 x)", "1"),
        (r"deriv (\c => beyond 0 (\x => besselK0 (c * x))) 2", "-0.39269908169872415480783042290994"),
        ("deriv airyAi 1", "-0.15914744129679321278750025249723"),
        ("nthDeriv 3 airyAi 1", "-0.023855024983911797263352828981763"),
        ("root (-3) (-2) airyAi", "-2.3381074104597670384891972524467"),
        ("beyond 0 airyAi", "0.3333333333333333333333333333333333333333"),
        (r"max01 (\x => airyAi (-2 * x))", "0.53565665601569986114486020069532"),
        ("deriv lambertW 0", "1"),
        ("nthDeriv 3 lambertW 0", "9"),
        ("lambertW (exp 1)", "1"),
        ("integral01 lambertW", "0.33036612476168058322517043916206"),
        (r"beyond 0 (\x => exp (-x) * lambertW x)", "0.48185437942079727269048102349958"),
    ] {
        let found = ask_within(4_000_000_000, program, "1e-6").enclosure;
        let (least, greatest) = (number(value) - number("1e-18"), number(value) + number("1e-18"));
        assert!(found.is_defined() && *found.lo() <= greatest && *found.hi() >= least, "{program}: {found:?}");
        assert!(found.has_width_at_most(&number("1e-5")), "{program}: {found:?}");
    }
}
